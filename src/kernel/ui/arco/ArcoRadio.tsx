import { type ComponentProps, Suspense } from 'react';
import { part } from '../loading/part.tsx';

const Radio = part(() => import('@arco-design/web-react/es/Radio/radio'));

/** Replaces Arco's static import of its radio buttons in the table: lazy-loaded by tables with filter options; the generic screen has none. */
export default function ArcoRadio(props: ComponentProps<typeof Radio>) {
  return (
    <Suspense>
      <Radio {...props} />
    </Suspense>
  );
}
