import { type ComponentProps, Suspense } from 'react';
import { lazyComponent } from '#kernel';

const Radio = lazyComponent(() => import('@arco-design/web-react/es/Radio'));

/** Replaces Arco's static import of its radio buttons in the table: lazy-loaded by tables that use them; the generic screen does not. */
export default function ArcoRadio(props: ComponentProps<typeof Radio>) {
  return (
    <Suspense>
      <Radio {...props} />
    </Suspense>
  );
}
