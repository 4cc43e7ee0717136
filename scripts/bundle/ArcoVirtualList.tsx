import { type ComponentProps, Suspense } from 'react';
import { lazyComponent } from '#kernel';

const VirtualList = lazyComponent(() => import('@arco-design/web-react/es/_class/VirtualList'));

/** Replaces Arco's static import of its virtual list in the table: lazy-loaded by tables that use it; the generic screen does not. */
export default function ArcoVirtualList(props: ComponentProps<typeof VirtualList>) {
  return (
    <Suspense>
      <VirtualList {...props} />
    </Suspense>
  );
}
