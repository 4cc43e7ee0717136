import { CrudPage } from '#kernel';
import { apiLog } from '../contract.ts';
import { apiLogMenu } from '../menus.ts';
import { Changes } from './Changes.tsx';
import { JsonBlock } from './JsonBlock.tsx';

export default function ApiLogPage() {
  return (
    <CrudPage
      crud={apiLog}
      title={apiLogMenu.title}
      presentation="drawer"
      formWidth={860}
      columns={{
        params: { render: ({ params }) => <JsonBlock json={params} /> },
        changes: { render: ({ changes }) => changes && changes.length > 0 && <Changes changes={changes} /> },
      }}
    />
  );
}
