import { useId, useMemo } from 'react';
import { holds } from '#shared/condition';
import { isEmpty } from '#shared/text';
import { useWords } from '../../i18n/use-words.ts';
import { useStore } from '../../use-store.ts';
import type { CrudPageProps, InputOverride } from '../crud-screen.ts';
import type { FormField } from '../entity-fields.ts';
import type { ParentTrees } from '../parent-trees.ts';
import { FieldControl } from './FieldControl.tsx';
import type { FormStore } from './form-store.ts';
import { ProductItem } from './ProductItem.tsx';

/** What one field of a form is told. */
export interface FormItemProps {
  readonly form: FormStore;
  readonly trees: ParentTrees;
  readonly field: FormField;
  readonly override?: InputOverride | undefined;
  readonly labelWidth: number | undefined;
  readonly parents: NonNullable<CrudPageProps['parents']>[string];
}

/** A field with its label, its control, a sentence of help and what is wrong; nothing while it does not exist. */
export function FormItem(props: FormItemProps) {
  const { form } = props;
  const field = useEntered(form, props.field);
  const isVisible = useStore(form, (state) => form.standing(field, state.values).visible);
  if (!isVisible) return null;
  return field.traits.productOf ? <ProductItem {...props} of={field.traits.productOf} /> : <VisibleItem {...props} field={field} />;
}

function VisibleItem({ form, trees, field, override, parents, labelWidth }: FormItemProps) {
  const say = useWords();
  const id = useId();
  const { name, traits } = field;
  const Control = override?.Control ?? FieldControl;
  const value = useStore(form, (state) => state.values[name]);
  const help = traits.known?.find((one) => one.value === value)?.help ?? traits.help;
  const problem = useStore(form, (state) => state.problems[name]);
  const isLocked = useStore(form, (state) => state.status !== 'editing');
  const required = useStore(form, (state) => form.standing(field, state.values).required);
  // What other fields give to this one's list; as text, since only a change of it matters.
  const given = useStore(form, (state) => givenTo(field, state.values));
  const enter = (changed: unknown) => {
    form.change(name, changed);
    const known = traits.known?.find((one) => one.value === changed);
    if (known && traits.names && isUnnamed(traits, form.state.values[traits.names])) form.change(traits.names, say(known.title));
  };
  const described = [...(help ? [`${id}-help`] : []), ...(problem ? [`${id}-problem`] : [])].join(' ');
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it hears the control inside lose the focus, and is none itself
    <div
      className={isWide(field) ? 'crud-form__item crud-form__item_wide' : 'crud-form__item'}
      data-field={name}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) form.judge(name);
      }}
    >
      <label
        id={`${id}-label`}
        htmlFor={id}
        className={required && traits.widget !== 'flag' ? 'crud-form__label crud-form__label_required' : 'crud-form__label'}
        style={labelWidth ? { width: labelWidth } : {}}
      >
        {say(traits.title)}
      </label>
      <div className="crud-form__control">
        <Control
          field={required === field.required ? field : { ...field, required }}
          id={id}
          value={value}
          disabled={isLocked || override?.readOnly === true || (traits.fixed === true && form.row !== undefined)}
          isWrong={problem !== undefined}
          describedBy={described || undefined}
          onChange={(changed) => enter(changed)}
          parents={parents}
          trees={trees}
          rowId={form.row?.id}
          given={given}
          title={titleIn(form, name)}
        />
        {help && (
          <p id={`${id}-help`} className="crud-form__help">
            {say(help)}
          </p>
        )}
        <p id={`${id}-problem`} className="crud-form__problem" aria-live="polite">
          {problem ? say(problem) : ''}
        </p>
      </div>
    </div>
  );
}

/** Nobody has given it a name: none is there, or that of another known value. */
const isUnnamed = ({ known = [] }: FormField['traits'], name: unknown) => isEmpty(name) || known.some(({ title }) => title.includes(String(name)));

/** The field with the control that enters it for what is filled in so far. */
function useEntered(form: FormStore, field: FormField): FormField {
  const entered = useStore(form, ({ values }) => field.traits.enteredBy?.find(({ when }) => holds(when, values)));
  return useMemo(() => {
    if (!entered) return field;
    const { when: _, ...control } = entered;
    return { ...field, traits: { ...field.traits, ...control } };
  }, [field, entered]);
}

const wide: ReadonlySet<string> = new Set(['textarea', 'rich-text', 'code', 'attachment', 'cron']);
const isWide = ({ traits }: FormField) => traits.wide === true || wide.has(traits.widget) || traits.reference?.checks === true;

function givenTo({ traits }: FormField, values: Readonly<Record<string, unknown>>): string | undefined {
  const { inputFrom } = traits.reference ?? traits.knownFrom ?? {};
  return inputFrom && JSON.stringify(Object.fromEntries(Object.entries(inputFrom).map(([parameter, name]) => [parameter, values[name]])));
}

function titleIn({ row }: FormStore, name: string): string | undefined {
  const title = row?.[name.replace(/(Ids?)?$/, 'Name')];
  return typeof title === 'string' && title !== '' ? title : undefined;
}
