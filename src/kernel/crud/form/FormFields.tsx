import { Suspense, useEffect, useId, useMemo, useRef, useState } from 'react';
import { holds } from '#shared/condition';
import { maskedFieldOf } from '#shared/entity';
import { isMaskedText } from '#shared/personal';
import { boundsHint } from '#shared/rules';
import { isEmpty } from '#shared/text';
import { useStore } from '../../base/react/use-store.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { lazyComponent } from '../../ui/loading/lazy-component.tsx';
import type { CrudPageProps, InputOverride } from '../model/crud-screen.ts';
import { defaultOf, type FormField, formatValue, groupsOf } from '../model/entity-fields.ts';
import type { ParentTrees } from '../model/parent-trees.ts';
import { FieldControl } from './FieldControl.tsx';
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
  const advanced = fields.filter(({ traits }) => traits.advanced);
  const groups = groupsOf(advanced.length > 0 ? fields.filter(({ traits }) => !traits.advanced) : fields);
  return (
    <>
      {groups.map((group) => (
        <FormGroup key={group[0]?.name} fields={group} {...rest} />
      ))}
      {advanced.length > 0 && <AdvancedFields fields={advanced} {...rest} />}
    </>
  );
}

/** Folds rarely used fields; the section opens if one of them has another value than its default, or an error. */
function AdvancedFields({ fields, ...rest }: FormFieldsProps) {
  const t = useTranslation();
  const { form } = rest;
  const isLoading = useStore(form, ({ status }) => status === 'loading');
  const mustOpen = useStore(form, ({ values, problems }) => fields.some(({ name, schema }) => problems[name] || !isDefault(values[name], schema)));
  const box = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (mustOpen && !isLoading && box.current) box.current.open = true;
  }, [mustOpen, isLoading]);
  return (
    <details ref={box} className="crud-form__advanced">
      <summary>{t('form.advanced')}</summary>
      {groupsOf(fields).map((group) => (
        <FormGroup key={group[0]?.name} fields={group} {...rest} />
      ))}
    </details>
  );
}

const isDefault = (value: unknown, schema: FormField['schema']) =>
  isEmpty(value) || (Array.isArray(value) && value.length === 0) || value === defaultOf(schema);

function FormGroup({ form, fields, inputs, trees, parents, labelWidth }: FormFieldsProps) {
  const t = useTranslation();
  const isVisible = useStore(form, (state) => fields.some((field) => form.fieldState(field, state.values).visible));
  const heading = fields[0]?.traits.group;
  const items = fields.map((field) => (
    <FormItem key={field.name} form={form} trees={trees} field={field} override={inputs?.[field.name]} parents={parents[field.name]} labelWidth={labelWidth} />
  ));
  if (!isVisible) return null;
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

/** A form with at least this many fields lists its errors in a summary. */
const longFormFieldCount = 8;

/** Lists the errors of a long form, if there are at least two, with links to their fields. In a short form the errors at the fields suffice. */
export function FormSummary({ form, fields, onSelect }: FormSummaryProps) {
  const t = useTranslation();
  const problems = useStore(form, (state) => state.problems);
  const invalidFields = fields.filter(({ name }) => problems[name]);
  if (fields.length < longFormFieldCount || invalidFields.length < 2) return null;
  return (
    <section className="crud-form__summary" aria-label={t('form.errorSummary', { count: invalidFields.length })}>
      <strong>{t('form.errorSummary', { count: invalidFields.length })}</strong>
      <ul>
        {invalidFields.map(({ name, traits }) => (
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

const RecordDialog = lazyComponent(() => import('./RecordDialog.tsx'));

/** Opens the record that already has the value of a field, over the form, which keeps its input. Renders nothing if the server named no record. */
function UniqueHolderLink({ form, name }: { readonly form: FormStore; readonly name: string }) {
  const t = useTranslation();
  const [isOpen, setIsOpen] = useState(false);
  const link = useRef<HTMLButtonElement>(null);
  const holder = useStore(form, ({ holder, values }) => (holder?.field === name && holder.value === values[name] ? holder : undefined));
  if (!holder || !form.crud.detail) return null;
  const close = () => {
    setIsOpen(false);
    link.current?.focus();
  };
  return (
    <>
      <button ref={link} type="button" className="crud-form__summary-link" onClick={() => setIsOpen(true)}>
        {holder.name ? t('crud.recordNamed', { title: t('crud.view'), name: holder.name }) : t('form.viewUniqueHolder')}
      </button>
      {isOpen && (
        <Suspense>
          <RecordDialog crud={form.crud} id={holder.id} name={holder.name} container={() => link.current?.closest('.crud') ?? document.body} onClose={close} />
        </Suspense>
      )}
    </>
  );
}

/** Props of one field of a form. */
interface FormItemProps {
  readonly form: FormStore;
  readonly trees: ParentTrees;
  readonly field: FormField;
  readonly override?: InputOverride | undefined;
  readonly labelWidth: number | undefined;
  readonly parents: NonNullable<CrudPageProps['parents']>[string];
}

/** Renders a field with its label, control, help text and error; nothing while its condition is not met. */
function FormItem(props: FormItemProps) {
  const { form } = props;
  const field = useControlOverride(form, props.field);
  const isVisible = useStore(form, (state) => form.fieldState(field, state.values).visible);
  if (!isVisible) return null;
  return field.traits.computedFrom ? <ComputedItem {...props} factors={field.traits.computedFrom} /> : <VisibleItem {...props} field={field} />;
}

function VisibleItem({ form, trees, field, override, parents, labelWidth }: FormItemProps) {
  const t = useTranslation();
  const id = useId();
  const { name, traits } = field;
  const Control = override?.Control ?? FieldControl;
  const value = useStore(form, (state) => state.values[name]);
  const isMasked = isMaskedText(value) && maskedFieldOf(field.schema) !== undefined;
  const help = isMasked ? t('table.maskedHint') : (traits.suggestions?.find((suggestion) => suggestion.value === value)?.help ?? traits.help);
  const problem = useStore(form, (state) => state.problems[name]);
  const isLocked = useStore(form, (state) => state.status !== 'editing');
  const required = useStore(form, (state) => form.fieldState(field, state.values).required);
  // Input that other fields pass to this one's list, serialized so that only a change of content matters.
  const callInput = useStore(form, (state) => callInputOf(field, state.values));
  const change = (changed: unknown) => {
    form.change(name, changed);
    const suggestion = traits.suggestions?.find((candidate) => candidate.value === changed);
    if (suggestion && traits.titleInto && hasSuggestedTitle(traits, form.state.values[traits.titleInto])) form.change(traits.titleInto, t(suggestion.title));
  };
  const bounds = useStore(form, (state) => state.bounds[name]);
  const hint = useMemo(() => boundsHint(field.schema, bounds), [field.schema, bounds]);
  const described = [...(hint ? [`${id}-bounds`] : []), ...(help ? [`${id}-help`] : []), ...(problem ? [`${id}-problem`] : [])].join(' ');
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it listens for the blur of the control inside and is no control itself
    <div
      className={isWide(field) ? 'crud-form__item crud-form__item_wide' : 'crud-form__item'}
      data-field={name}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) form.validate(name);
      }}
    >
      <label
        id={`${id}-label`}
        htmlFor={id}
        className={required && (traits.widget !== 'flag' || traits.clearable) ? 'crud-form__label crud-form__label_required' : 'crud-form__label'}
        style={labelWidth ? { width: labelWidth } : {}}
      >
        {t(traits.title)}
      </label>
      <div className="crud-form__control">
        <Control
          field={required === field.required ? field : { ...field, required }}
          id={id}
          value={value}
          disabled={isLocked || override?.readOnly === true || (traits.immutable === true && form.row !== undefined)}
          isInvalid={problem !== undefined}
          describedBy={described || undefined}
          onChange={change}
          parents={parents}
          trees={trees}
          rowId={form.row?.id}
          callInput={callInput}
          title={titleOf(form, field)}
        />
        {hint && (
          <p id={`${id}-bounds`} className="crud-form__help">
            {t(hint)}
          </p>
        )}
        {help && (
          <p id={`${id}-help`} className="crud-form__help">
            {typeof help === 'string' ? help : t(help)}
          </p>
        )}
        <p id={`${id}-problem`} className="crud-form__problem" aria-live="polite">
          {problem ? t(problem) : ''}
        </p>
        {problem && <UniqueHolderLink form={form} name={name} />}
      </div>
    </div>
  );
}

/** True while the name field is empty or holds the title of another known value, so that it may be filled in. */
const hasSuggestedTitle = ({ suggestions = [] }: FormField['traits'], name: unknown) =>
  isEmpty(name) || suggestions.some(({ title }) => title.includes(String(name)));

/** Returns the field with the control that fits the current values of the form. */
function useControlOverride(form: FormStore, field: FormField): FormField {
  const controlOverride = useStore(form, ({ values }) => field.traits.controlWhen?.find(({ when }) => holds(when, values)));
  return useMemo(() => {
    if (!controlOverride) return field;
    const { when: _, ...control } = controlOverride;
    return { ...field, traits: { ...field.traits, ...control } };
  }, [field, controlOverride]);
}

const wide: ReadonlySet<string> = new Set(['textarea', 'rich-text', 'code', 'attachment', 'cron']);
const isWide = ({ traits }: FormField) => traits.wide === true || wide.has(traits.widget) || traits.reference?.checks === true;

function callInputOf({ traits }: FormField, values: Readonly<Record<string, unknown>>): string | undefined {
  const { inputFrom } = traits.reference ?? traits.suggestFrom ?? traits.unavailableFrom ?? traits.schemaFrom ?? {};
  return inputFrom && JSON.stringify(Object.fromEntries(Object.entries(inputFrom).map(([parameter, name]) => [parameter, values[name]])));
}

function titleOf({ row }: FormStore, { name, traits }: FormField): string | undefined {
  const title = row?.[traits.removable?.maskField ?? name.replace(/(Ids?)?$/, 'Name')];
  return typeof title === 'string' && title !== '' ? title : undefined;
}

/** Shows the product of other fields, which the server computes when the form is saved; a dash until all of them are set. */
function ComputedItem({ form, field, labelWidth, factors }: FormItemProps & { readonly factors: readonly string[] }) {
  const t = useTranslation();
  const { title, help } = field.traits;
  const product = useStore(form, ({ values }) =>
    factors.some((name) => isEmpty(values[name])) ? undefined : factors.reduce((result, name) => result * Number(values[name]), 1),
  );
  return (
    <div className="crud-form__item" data-field={field.name}>
      <span className="crud-form__label" style={labelWidth ? { width: labelWidth } : {}}>
        {t(title)}
      </span>
      <div className="crud-form__control">
        <output className="crud-form__product" aria-label={t(title)}>
          {formatValue(field, product, t) || '—'}
        </output>
        {help && <p className="crud-form__help">{t(help)}</p>}
      </div>
    </div>
  );
}
