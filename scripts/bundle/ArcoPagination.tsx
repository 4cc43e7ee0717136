import { type ComponentProps, Suspense } from 'react';
import { lazyComponent } from '#kernel';

const Pagination = lazyComponent(() => import('@arco-design/web-react/es/Pagination'));

/** Replaces Arco's static import of its pager and select in the table: lazy-loaded by tables that use them; the generic screen does not. */
export default function ArcoPagination(props: ComponentProps<typeof Pagination>) {
  return (
    <Suspense>
      <Pagination {...props} />
    </Suspense>
  );
}
