import { Suspense, useRef } from 'react';
import { useStore } from '../../base/react/use-store.ts';
import { lazyComponent } from '../../ui/loading/lazy-component.tsx';
import type { CrudPageProps } from '../model/crud-screen.ts';
import type { ParentTrees } from '../model/parent-trees.ts';
import type { FormStore } from './form-store.ts';

const MergeDialog = lazyComponent(() => import('./MergeDialog.tsx'));

interface RecordChangesProps {
  readonly form: FormStore;
  readonly trees: ParentTrees;
  readonly parents: NonNullable<CrudPageProps['parents']>;
  /** Receives the first invalid field of a merged form. */
  readonly onInvalid: (name: string | undefined) => void;
}

/** Shows the changes of others to the record of an open form. */
export default function RecordChanges({ form, trees, parents, onInvalid }: RecordChangesProps) {
  const conflict = useStore(form, (state) => state.conflict);
  const place = useRef<HTMLDivElement>(null);
  return (
    <div ref={place}>
      {conflict && (
        <Suspense>
          <MergeDialog
            conflict={conflict}
            trees={trees}
            parents={parents}
            container={() => place.current?.closest('.crud') ?? document.body}
            onMerge={(chosen) => onInvalid(form.merge(chosen))}
            onClose={() => form.dismissConflict()}
          />
        </Suspense>
      )}
    </div>
  );
}
