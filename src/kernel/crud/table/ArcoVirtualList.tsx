import { type ComponentProps, Suspense } from 'react';
import { part } from '../../part.tsx';

const VirtualList = part(() => import('@arco-design/web-react/es/_class/VirtualList'));

/** Stands where Arco's table would bring what draws rows drawn by scrolling: fetched by the table that has them, which the generic screen does not. */
export default function ArcoVirtualList(props: ComponentProps<typeof VirtualList>) {
  return (
    <Suspense>
      <VirtualList {...props} />
    </Suspense>
  );
}
