import { isEmpty } from '#shared/text';
import { useStore } from '../../base/react/use-store.ts';
import { useWords } from '../../platform/i18n/use-words.ts';
import { readable } from '../model/entity-fields.ts';
import type { FormItemProps } from './FormItem.tsx';

/** Shows the product the server will compute from other fields, updated with the input; a dash until all of them are set. */
export function ComputedItem({ form, field, labelWidth, of }: FormItemProps & { readonly of: readonly string[] }) {
  const say = useWords();
  const { title, help } = field.traits;
  const product = useStore(form, ({ values }) =>
    of.some((name) => isEmpty(values[name])) ? undefined : of.reduce((so, name) => so * Number(values[name]), 1),
  );
  return (
    <div className="crud-form__item" data-field={field.name}>
      <span className="crud-form__label" style={labelWidth ? { width: labelWidth } : {}}>
        {say(title)}
      </span>
      <div className="crud-form__control">
        <output className="crud-form__product" aria-label={say(title)}>
          {readable(field, product, say) || '—'}
        </output>
        {help && <p className="crud-form__help">{say(help)}</p>}
      </div>
    </div>
  );
}
