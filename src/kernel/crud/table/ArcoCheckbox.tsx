import { type ComponentProps, Suspense } from 'react';
import { part } from '../../part.tsx';

const Checkbox = part(() => import('@arco-design/web-react/es/Checkbox'));

/** Stands where Arco's table would bring its check boxes: fetched by the table that draws them, which the generic screen does not. */
export default function ArcoCheckbox(props: ComponentProps<typeof Checkbox>) {
  return (
    <Suspense>
      <Checkbox {...props} />
    </Suspense>
  );
}
