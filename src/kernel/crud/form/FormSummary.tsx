import { useStore } from '../../base/react/use-store.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import type { FormField } from '../model/entity-fields.ts';
import type { FormStore } from './form-store.ts';

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
