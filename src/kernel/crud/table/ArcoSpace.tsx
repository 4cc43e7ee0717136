import { type ComponentProps, Suspense } from 'react';
import { part } from '../../part.tsx';

const Space = part(() => import('@arco-design/web-react/es/Space'));

/** Stands where Arco's table would bring what draws the buttons of a filter: fetched by the table that has them, which the generic screen does not. */
export default function ArcoSpace(props: ComponentProps<typeof Space>) {
  return (
    <Suspense>
      <Space {...props} />
    </Suspense>
  );
}
