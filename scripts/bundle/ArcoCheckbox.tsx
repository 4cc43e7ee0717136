import { type ComponentProps, Suspense } from 'react';
import { lazyComponent } from '#kernel';

const Checkbox = lazyComponent(() => import('@arco-design/web-react/es/Checkbox'));

/** Replaces Arco's static import of its checkboxes in the table: lazy-loaded by tables that use them; the generic screen does not. */
export default function ArcoCheckbox(props: ComponentProps<typeof Checkbox>) {
  return (
    <Suspense>
      <Checkbox {...props} />
    </Suspense>
  );
}
