import type { TProperties, TSchema } from 'typebox';
import type { LocalizedText } from '../text/text.ts';
import type { Entity } from './entity.ts';
import { type Field, field, type Option, type Tone, type Traits, traitsOf } from './field-traits.ts';

type StateValue = string | number;

/** A change of a state, as plain data that console and server read alike. */
export interface Transition<Value extends StateValue = StateValue> {
  /** Name of the call among the `transitions` of the screen, and last part of its path: `activate`. */
  readonly name: string;
  /** Label of the button. */
  readonly title: LocalizedText;
  readonly from: readonly Value[];
  readonly to: Value;
  /** Permission code, which the menu declares as a button. A transition without one has no call: only the server makes it. */
  readonly code?: string;
  /** Question that the console asks before; none for a change that is easily undone. */
  readonly confirm?: LocalizedText;
  /** Fields of the row that users enter with the change. All of them are required. */
  readonly fields?: readonly string[];
  /** Nullable `DateTime` field of the row, outside of forms, that the server sets to the time of the change. */
  readonly time?: string;
  /** True for the main action of rows in these states. */
  readonly isPrimary?: boolean;
}

/** A state with its name and colour. */
export type StateOption<Value extends StateValue = StateValue> = readonly [value: Value, title: LocalizedText, tone?: Tone];

/** Field that holds a state. Forms do not contain it; it changes by transitions. */
export interface StateField<Value extends StateValue = StateValue, Name extends string = string> extends Field<Value> {
  /** Carries the names of the transitions that users make; never set. */
  readonly transitionNames: Name;
}

/** A state that changes by the declared transitions only. New rows have the first state. */
export function State<const Value extends StateValue, const Transitions extends readonly Transition<NoInfer<Value>>[]>({
  states,
  transitions,
  ...traits
}: Omit<Traits, 'form'> & {
  readonly states: readonly [StateOption<Value>, ...StateOption<Value>[]];
  readonly transitions: Transitions;
}): StateField<Value, UserTransition<Transitions>> {
  const options = states.map(([value, title]): Option<Value> => [value, title]);
  const tones = Object.fromEntries(states.flatMap(([value, , tone]) => (tone ? [[value, tone]] : [])));
  const values = options.map(([value]) => value);
  return field<Value>(
    'choice',
    { ...traits, options, tones, form: false, transitions },
    { type: typeof values[0] === 'number' ? 'integer' : 'string', enum: values },
  ) as StateField<Value, UserTransition<Transitions>>;
}

/** Names of the transitions that users make. */
type UserTransition<Transitions extends readonly Transition[]> = Extract<Transitions[number], { readonly code: string }>['name'];

/** A transition of an entity with the field whose state it changes. */
export interface DeclaredTransition extends Transition {
  readonly field: string;
}

/** Returns the transitions of an entity. */
export const transitionsOf = ({ fields }: Pick<Entity, 'fields'>): DeclaredTransition[] =>
  Object.entries(fields).flatMap(([field, schema]) => (traitsOf(schema)?.transitions ?? []).map((transition) => ({ ...transition, field })));

/** Returns the state of a new row by the fields that hold one. */
export const initialStates = ({ fields }: Pick<Entity, 'fields'>): Readonly<Record<string, StateValue>> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, schema]) => {
      const { transitions, options } = traitsOf(schema) ?? {};
      return transitions && options?.[0] ? [[name, options[0][0]]] : [];
    }),
  );

/** Rejects a transition that names an unknown state or field, and two of one name. */
export function assertTransitions(entity: string, fields: TProperties): void {
  const names = new Set<string>();
  for (const { field, name, from, to, fields: entered = [], time } of transitionsOf({ fields })) {
    const states = new Set<unknown>(traitsOf(fields[field] as TSchema)?.options?.map(([value]) => value));
    for (const state of [...from, to]) if (!states.has(state)) throw new Error(`${entity}.${field} has no state ${state}, which its transition ${name} names`);
    for (const input of entered) if (!fields[input]) throw new Error(`${entity} has no field ${input}, which the transition ${name} of ${field} requires`);
    if (time !== undefined && !isTimeField(fields[time]))
      throw new Error(`${entity} has no Nullable(DateTime) field ${time} with form: false, which the transition ${name} of ${field} sets`);
    if (time !== undefined && entered.includes(time)) throw new Error(`${entity}: users cannot enter ${time}, which the transition ${name} of ${field} sets`);
    if (names.has(name)) throw new Error(`${entity} has two transitions called ${name}`);
    names.add(name);
  }
}

function isTimeField(schema: TSchema | undefined): boolean {
  const { widget, form } = (schema && traitsOf(schema)) ?? {};
  return widget === 'date-time' && form === false && [(schema as { readonly type?: unknown }).type].flat().includes('null');
}

/** Returns the name of a state. */
export function stateTitle(schema: TSchema, value: unknown): LocalizedText {
  const [, title] = traitsOf(schema)?.options?.find(([option]) => option === value) ?? [];
  return title ?? [String(value), String(value)];
}

/** Returns the message for a row whose state does not allow an action; `{name}` stands for the row. */
export function stateMessage(schema: TSchema, state: unknown, [zhAction, enAction]: LocalizedText): LocalizedText {
  const [zhState, enState] = stateTitle(schema, state);
  return [`「{name}」当前为“${zhState}”，不能${zhAction}`, `“{name}” is in the state “${enState}”, which does not allow: ${enAction}.`];
}
