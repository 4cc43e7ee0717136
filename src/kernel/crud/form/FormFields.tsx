import { useStore } from '../../base/react/use-store.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import type { CrudPageProps, InputOverride } from '../model/crud-screen.ts';
import { type FormField, groupsOf } from '../model/entity-fields.ts';
import type { ParentTrees } from '../model/parent-trees.ts';
import { FormItem } from './FormItem.tsx';
import type { FormStore } from './form-store.ts';

interface FormFieldsProps {
  readonly labelWidth: number | undefined;
  readonly form: FormStore;
  readonly fields: readonly FormField[];
  /** Overrides of some of the fields. */
  readonly inputs?: Readonly<Record<string, InputOverride>>;
  readonly trees: ParentTrees;
  readonly parents: NonNullable<CrudPageProps['parents']>;
}

/** Renders the fields of a form; adjacent fields of one group share its heading. */
export function FormFields({ fields, ...rest }: FormFieldsProps) {
  return groupsOf(fields).map((group) => <FormGroup key={group[0]?.name} fields={group} {...rest} />);
}

function FormGroup({ form, fields, inputs, trees, parents, labelWidth }: FormFieldsProps) {
  const t = useTranslation();
  const isThere = useStore(form, (state) => fields.some((field) => form.fieldState(field, state.values).visible));
  const heading = fields[0]?.traits.group;
  const items = fields.map((field) => (
    <FormItem key={field.name} form={form} trees={trees} field={field} override={inputs?.[field.name]} parents={parents[field.name]} labelWidth={labelWidth} />
  ));
  if (!isThere) return null;
  if (!heading) return <div className="crud-form__group">{items}</div>;
  return (
    <fieldset className="crud-form__section">
      <legend className="crud-form__heading">{t(heading)}</legend>
      <div className="crud-form__group">{items}</div>
    </fieldset>
  );
}

interface FormSummaryProps {
  readonly form: FormStore;
  readonly fields: readonly FormField[];
  readonly onSelect: (name: string) => void;
}

/** Number of fields from which a form lists its errors in a summary. */
const longForm = 8;

/** Lists the errors of a long form with links to their fields. In a short form the errors at the fields suffice. */
export function FormSummary({ form, fields, onSelect }: FormSummaryProps) {
  const t = useTranslation();
  const problems = useStore(form, (state) => state.problems);
  const wrong = fields.filter(({ name }) => problems[name]);
  if (fields.length < longForm || wrong.length < 2) return null;
  return (
    <section className="crud-form__summary" aria-label={t('form.summary', { count: wrong.length })}>
      <strong>{t('form.summary', { count: wrong.length })}</strong>
      <ul>
        {wrong.map(({ name, traits }) => (
          <li key={name}>
            <button type="button" className="crud-form__summary-link" onClick={() => onSelect(name)}>
              {t(problems[name] ?? traits.title)}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
