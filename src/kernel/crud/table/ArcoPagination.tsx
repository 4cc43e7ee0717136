import { type ComponentProps, Suspense } from 'react';
import { part } from '../../part.tsx';

const Pagination = part(() => import('@arco-design/web-react/es/Pagination'));

/** Stands where Arco's table would bring Arco's pager, and with it every select: fetched by the table that shows one, which the generic screen does not. */
export default function ArcoPagination(props: ComponentProps<typeof Pagination>) {
  return (
    <Suspense>
      <Pagination {...props} />
    </Suspense>
  );
}
