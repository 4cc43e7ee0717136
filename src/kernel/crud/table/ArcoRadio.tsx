import { type ComponentProps, Suspense } from 'react';
import { part } from '../../part.tsx';

const Radio = part(() => import('@arco-design/web-react/es/Radio/radio'));

/** Stands where Arco's table would bring what draws the choices of a filter: fetched by the table that has them, which the generic screen does not. */
export default function ArcoRadio(props: ComponentProps<typeof Radio>) {
  return (
    <Suspense>
      <Radio {...props} />
    </Suspense>
  );
}
