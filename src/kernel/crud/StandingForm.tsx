import { Suspense } from 'react';
import type { Entity } from '#shared/contract';
import { part } from '../part.tsx';
import type { EntityFormProps } from './form/EntityForm.tsx';

const EntityForm = part(() => import('./form/EntityForm.tsx'));

/** A form that stands in its page and edits one row: settings, and whatever there is one of. It asks before unsaved changes are lost. */
export function StandingForm<E extends Entity>(props: EntityFormProps<E>) {
  return (
    <Suspense>
      <EntityForm {...(props as unknown as EntityFormProps)} />
    </Suspense>
  );
}
