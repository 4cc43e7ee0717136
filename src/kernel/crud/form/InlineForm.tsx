import { Suspense } from 'react';
import type { Entity } from '#shared/contract';
import { lazyComponent } from '../../ui/loading/lazy-component.tsx';
import type { EntityFormProps } from './EntityForm.tsx';

const EntityForm = lazyComponent(() => import('./EntityForm.tsx'));

/** Renders a form inside its page that edits one row, such as settings. It asks before unsaved changes are lost. */
export function InlineForm<E extends Entity>(props: EntityFormProps<E>) {
  return (
    <Suspense>
      <EntityForm {...(props as EntityFormProps)} />
    </Suspense>
  );
}
