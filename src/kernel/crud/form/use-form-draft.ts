import { useContext, useEffect } from 'react';
import { debounceTime, filter } from 'rxjs';
import { PaneContext } from '../../ui/pane/pane-context.ts';
import { useDraft } from '../../ui/pane/use-draft.ts';
import type { CrudPageProps } from '../model/crud-screen.ts';
import { type FormField, formFields } from '../model/entity-fields.ts';
import type { FormBasis, FormStore } from './form-store.ts';

/** Input that was not saved when the page was left. */
export interface FormDraft {
  /** Id of the edited row; absent for a new one. */
  readonly rowId?: string | undefined;
  readonly values: Readonly<Record<string, unknown>>;
  /** The edited row when the form was opened. */
  readonly basis?: FormBasis;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Field names of the form: a form that has changed since ignores the draft. */
  readonly fields: string;
}

/** A draft that a form offers, and the operator's answers. */
export interface OfferedDraft {
  /** Input that was not saved before the page was reloaded. */
  readonly draft: FormDraft | undefined;
  continueDraft(): void;
  forgetDraft(): void;
}

interface Drafts {
  /** Draft that was left before the page was reloaded. */
  readonly found: FormDraft | undefined;
  discard(): void;
}

/** Stores unsaved input of a screen's form through a reload, per page and fixed filter of the list. */
export function useFormDraft({ crud, parents, filter: baseFilter }: CrudPageProps, form: FormStore | undefined): Drafts {
  const { key = '' } = useContext(PaneContext);
  const name = `${crud.list.path}:${key}:${baseFilter ? JSON.stringify(baseFilter) : ''}`;
  return useStoredForm(name, formFields(crud.entity, undefined, parents), form);
}

/** Stores unsaved input of a form under a name while it is edited; secrets are never stored. */
export function useStoredForm(name: string, fields: readonly FormField[], form: FormStore | undefined): Drafts {
  const { found, store, discard } = useDraft<FormDraft>(name);
  const shape = fields.map((field) => `${field.name}:${field.traits.widget}`).join();

  useEffect(() => {
    if (!form) return;
    const subscription = form.state$
      .pipe(
        filter(({ dirty, status }) => dirty && status === 'editing'),
        debounceTime(400),
      )
      .subscribe(({ values }) => {
        // The form may have been saved or closed meanwhile.
        if (!form.state.dirty || form.lifetime.closed) return;
        const entries = form.fields.filter(({ traits }) => traits.widget !== 'secret').map((field) => [field.name, values[field.name]]);
        const basis = form.row ? { basis: form.state.basis } : {};
        store({ rowId: form.row?.id, values: Object.fromEntries(entries), ...basis, at: Date.now(), fields: shape });
      });
    return () => subscription.unsubscribe();
  }, [form, store, shape]);

  const isCompatible = found?.fields === shape && typeof found.values === 'object' && typeof found.at === 'number';
  return { found: isCompatible ? found : undefined, discard };
}
