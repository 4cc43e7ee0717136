import { useEffect, useMemo, useState } from 'react';
import { type TSchema, Type } from 'typebox';
import { addedFields, type TightenedField } from '#shared/entity-extension';
import { type FieldTraits, traitsOf } from '#shared/fields';
import { useService } from '../services.tsx';
import { addedCell, addedControl } from '../slots/AddedCell.tsx';
import { type LoadScreenAddition, type ScreenAddition, screenOf } from '../slots/kernel-slots.ts';
import { type Filled, Slots } from '../slots/slots.ts';
import { useSlot } from '../slots/use-slot.ts';
import type { ColumnOverride, CrudPageProps, InputOverride, Row } from './crud-screen.ts';
import type { ScreenField } from './entity-fields.ts';
import { withAdded, withFields, withInputs } from './extended-entity.ts';

/** A screen with what other plugins add to it. */
export interface WithAdditions {
  /** Its `crud` and `fields` are those of forms and views: lists, exports and bulk edits know nothing of what is added. */
  readonly props: CrudPageProps;
  /** The columns they add, neither searched nor exported. */
  readonly added: readonly ScreenField[];
  /** How fields of its form differ from what they say. */
  readonly inputs: Readonly<Record<string, InputOverride>>;
}

/** What is merged, of a screen whose entity is not known here. */
interface Loose {
  readonly columns?: Readonly<Record<string, ColumnOverride | undefined>>;
  readonly actions?: ScreenAddition<Row>['actions'];
}

/** An addition with whose it is. */
export interface Loaded {
  readonly of: Filled<LoadScreenAddition>;
  readonly addition: ScreenAddition<Row>;
}

const nothing: readonly Loaded[] = [];

/** The list of a slot stays the same while nothing in it changes, and so does what was loaded for it. */
const known = new WeakMap<readonly Filled<LoadScreenAddition>[], readonly Loaded[]>();

/** The additions of a screen as soon as they have arrived, which is while its rows are on their way; one that fails is told of and left out. */
export function useAdditions(props: CrudPageProps): WithAdditions {
  const slots = useService(Slots);
  const filled = useSlot(screenOf(props.crud.menu));
  const [, arrived] = useState<readonly Loaded[]>();
  useEffect(() => {
    if (filled.length === 0 || known.has(filled)) return;
    let isWanted = true;
    void loadAll(filled, slots).then((loaded) => {
      known.set(filled, loaded);
      if (isWanted) arrived(loaded);
    });
    return () => {
      isWanted = false;
    };
  }, [filled, slots]);
  const loaded = known.get(filled);
  const { crud, fields } = props;
  // The same as long as nothing changes: what is open on screen goes by it.
  const entered = useMemo(() => enteredWith(crud, fields, loaded ?? nothing), [crud, fields, loaded]);
  if (!loaded) return { props, added: [], inputs: entered.inputs };
  const { inputs, ...shown } = entered;
  return { ...merged({ ...props, ...shown }, loaded), inputs };
}

/** What was loaded for a slot's parts, once a screen has asked for them. */
export const additionsOf = (filled: readonly Filled<unknown>[]): readonly Loaded[] => known.get(filled as readonly Filled<LoadScreenAddition>[]) ?? nothing;

async function loadAll(filled: readonly Filled<LoadScreenAddition>[], slots: Slots): Promise<readonly Loaded[]> {
  const loaded = await Promise.all(
    filled.map(async (of) => {
      try {
        const { default: additionOf } = await of.part();
        return [{ of, addition: additionOf({ get: (service) => of.services.get(service) }) as unknown as ScreenAddition<Row> }];
      } catch (error) {
        slots.report(of.pluginId, error);
        return [];
      }
    }),
  );
  return loaded.flat();
}

interface Entered extends Pick<CrudPageProps, 'crud' | 'fields'> {
  readonly inputs: Readonly<Record<string, InputOverride>>;
}

/** What a screen's forms and views draw, and how, with what is added. */
function enteredWith(crud: CrudPageProps['crud'], fields: CrudPageProps['fields'], loaded: readonly Loaded[]): Entered {
  const extensions = loaded.flatMap(({ addition }) => addition.fields ?? []);
  const inputs: Record<string, InputOverride> = {};
  for (const { of, addition } of loaded)
    for (const [name, override] of Object.entries((addition.inputs ?? {}) as Record<string, InputOverride>)) {
      const { Control } = override;
      inputs[name] = { ...inputs[name], ...override, ...(Control ? { Control: addedControl(of, Control) } : {}) };
    }
  const own = fields ? { fields } : {};
  if (extensions.length === 0 && Object.keys(inputs).length === 0) return { crud, ...own, inputs };
  const added: Record<string, TSchema> = Object.assign({}, ...extensions.map(addedFields));
  const tightened: Record<string, TightenedField> = Object.assign({}, ...extensions.map((extension) => extension.tightened));
  const wanted = fields ? { fields: withAdded(fields, crud.entity, added) as unknown as NonNullable<typeof fields> } : {};
  return { crud: { ...crud, entity: withInputs(withFields(crud.entity, added), tightened, inputs) }, ...wanted, inputs };
}

function merged(props: CrudPageProps, loaded: readonly Loaded[]): Omit<WithAdditions, 'inputs'> {
  const own = props as unknown as Loose;
  const added: ScreenField[] = [];
  const columns: Record<string, ColumnOverride | undefined> = { ...own.columns };
  for (const { of, addition } of loaded) {
    for (const [name, schema] of Object.entries(addition.fields ? addedFields(addition.fields) : {})) {
      const traits = traitsOf(schema) as FieldTraits;
      if (traits.list !== false) added.push({ name, schema, traits });
    }
    for (const [name, override] of Object.entries(addition.overrides ?? {})) columns[name] = { ...columns[name], ...(override as ColumnOverride) };
    for (const [key, { Cell, title, width, isNumber, hidden }] of Object.entries(addition.columns ?? {})) {
      const name = `${of.pluginId}:${key}`;
      // One of the name of an added field draws that.
      if (!added.some((field) => field.name === name))
        added.push({ name, schema: Type.Unknown(), traits: { title, widget: isNumber ? 'number' : 'text' } as FieldTraits });
      columns[name] = { ...(width === undefined ? {} : { width }), ...(hidden ? { hidden } : {}), render: addedCell(of, Cell) };
    }
  }
  const actions = {
    row: [...(own.actions?.row ?? []), ...loaded.flatMap(({ addition }) => addition.actions?.row ?? [])],
    toolbar: [...(own.actions?.toolbar ?? []), ...loaded.flatMap(({ addition }) => addition.actions?.toolbar ?? [])],
  };
  const hasToolbar = own.actions?.toolbar !== undefined || actions.toolbar.length > 0;
  const made: Loose = { columns, actions: hasToolbar ? actions : { row: actions.row } };
  return { added, props: { ...props, ...made } as unknown as CrudPageProps };
}
