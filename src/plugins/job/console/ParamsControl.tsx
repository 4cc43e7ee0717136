import { useId, useState } from 'react';
import type { TSchema } from 'typebox';
import { FieldControl, type InputProps, useQuery, useTranslation } from '#kernel';
import type { FieldValues } from '#shared/condition';
import { traitsOf } from '#shared/fields';
import { isEmpty } from '#shared/text';
import { fieldProblem, fieldStateOf } from '#shared/validation';
import { jobInfo } from '../contract.ts';
import styles from './job.module.css';

type ControlProps = Parameters<typeof FieldControl>[0];

/** Edits the parameters of a job: as the fields that its processor declares, otherwise as text. */
export function ParamsControl(props: InputProps) {
  const { jobServerId, processorInfo } = JSON.parse(props.callInput ?? '{}') as { readonly jobServerId?: string; readonly processorInfo?: string };
  const { data } = useQuery(jobInfo.processors, jobServerId ? { jobServerId } : {}, { quiet: true, keepPreviousData: true });
  const params = data?.find(({ value }) => value === processorInfo)?.params;
  const values = valuesOf(props.value);
  // The control receives the tree store of the form as well, which a page's control does not declare.
  if (!params || !values) return <FieldControl {...(props as ControlProps)} />;
  const required = new Set(params.required as readonly string[] | undefined);
  const change = (name: string, value: unknown) => {
    const entries = Object.entries({ ...values, [name]: value }).filter(([, one]) => !isEmpty(one));
    props.onChange(entries.length > 0 ? JSON.stringify(Object.fromEntries(entries)) : undefined);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: the label of the form names the group
    <div className={styles.params} role="group" aria-labelledby={`${props.id}-label`} aria-describedby={props.describedBy}>
      {Object.entries(params.properties).map(([name, schema]) => {
        const state = fieldStateOf(schema, values, required.has(name));
        return (
          state.visible && (
            <ParamField
              key={name}
              {...{ name, schema, props }}
              required={state.required}
              value={shownValue(values[name], schema)}
              onChange={(value) => change(name, value)}
            />
          )
        );
      })}
    </div>
  );
}

interface ParamFieldProps {
  readonly name: string;
  readonly schema: TSchema;
  readonly props: InputProps;
  readonly required: boolean;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

function ParamField({ name, schema, props, required, value, onChange }: ParamFieldProps) {
  const t = useTranslation();
  const id = useId();
  const [isTouched, setTouched] = useState(false);
  const traits = traitsOf(schema);
  if (!traits) return null;
  const problem = isTouched || props.isInvalid ? fieldProblem(schema, value, required) : undefined;
  const described = [...(traits.help ? [`${id}-help`] : []), ...(problem ? [`${id}-problem`] : [])].join(' ');
  const field = { name, schema, traits, required, excludesRoot: false };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it listens for the blur of the control inside and is no control itself
    <div data-param={name} onBlur={() => setTouched(true)}>
      <label id={`${id}-label`} htmlFor={id} className={required ? 'crud-form__label crud-form__label_required' : 'crud-form__label'}>
        {t(traits.title)}
      </label>
      <FieldControl
        {...(props as ControlProps)}
        field={field}
        id={id}
        value={value}
        isInvalid={problem !== undefined}
        describedBy={described || undefined}
        callInput={undefined}
        title={undefined}
        onChange={onChange}
      />
      {traits.help && (
        <p id={`${id}-help`} className="crud-form__help">
          {t(traits.help)}
        </p>
      )}
      <p id={`${id}-problem`} className="crud-form__problem" aria-live="polite">
        {problem ? t(problem) : ''}
      </p>
    </div>
  );
}

/** Parses the text of the parameters; undefined for text that is no object, which is then edited as it is. */
function valuesOf(text: unknown): FieldValues | undefined {
  if (isEmpty(text)) return {};
  try {
    const parsed: unknown = JSON.parse(String(text));
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? (parsed as FieldValues) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the value for the control; an object in a field of text becomes a line for each entry. */
function shownValue(value: unknown, schema: TSchema): unknown {
  if (isEmpty(value)) return (schema as { default?: unknown }).default;
  const isText = traitsOf(schema)?.widget === 'textarea';
  return isText && typeof value === 'object'
    ? Object.entries(value as FieldValues)
        .map(([name, one]) => `${name}: ${String(one)}`)
        .join('\n')
    : value;
}
