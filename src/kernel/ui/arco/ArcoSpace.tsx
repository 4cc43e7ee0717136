import { type ComponentProps, Suspense } from 'react';
import { part } from '../loading/part.tsx';

const Space = part(() => import('@arco-design/web-react/es/Space'));

/** Replaces Arco's static import of its layout of filter buttons in the table: lazy-loaded by tables with filter options; the generic screen has none. */
export default function ArcoSpace(props: ComponentProps<typeof Space>) {
  return (
    <Suspense>
      <Space {...props} />
    </Suspense>
  );
}
