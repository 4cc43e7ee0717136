import { type ComponentType, type ReactNode, useEffect, useMemo, useState } from 'react';
import type { TSchema } from 'typebox';
import * as Type from 'typebox';
import { addedFields, type TightenedField } from '#shared/entity-extension';
import { type FieldTraits, traitsOf } from '#shared/fields';
import { useService } from '../../base/react/services.tsx';
import { ContributionBoundary } from '../../ui/slots/ContributionBoundary.tsx';
import { type SlotContribution, Slots } from '../../ui/slots/slots.ts';
import { useSlot } from '../../ui/slots/use-slot.ts';
import type { ColumnOverride, CrudPageProps, InputOverride, InputProps, Row } from '../model/crud-screen.ts';
import type { ScreenField } from '../model/entity-fields.ts';
import { withAdded, withFields, withInputs } from '../model/extended-entity.ts';
import { type LoadScreenAddition, type ScreenAddition, screenOf } from './screen-additions.ts';

/** A screen with the additions of other plugins. */
export interface ExtendedScreen {
  /** Props whose `crud` and `fields` apply to forms and views: lists, exports and bulk edits ignore the additions. */
  readonly props: CrudPageProps;
  /** Added columns, which can be neither searched nor exported. */
  readonly added: readonly ScreenField[];
  /** Overrides of form fields. */
  readonly inputs: Readonly<Record<string, InputOverride>>;
}

/** Parts that are merged, typed without the screen's entity. */
interface UntypedParts {
  readonly columns?: Readonly<Record<string, ColumnOverride | undefined>>;
  readonly actions?: ScreenAddition<Row>['actions'];
}

/** An addition with its slot contribution. */
export interface LoadedAddition {
  readonly of: SlotContribution<LoadScreenAddition>;
  readonly addition: ScreenAddition<Row>;
}

const nothing: readonly LoadedAddition[] = [];

/** A slot keeps the same list while nothing in it changes, so it can key the loaded additions. */
const loadedCache = new WeakMap<readonly SlotContribution<LoadScreenAddition>[], readonly LoadedAddition[]>();

/** Returns the additions of a screen once they are loaded, which happens while its rows load; one that fails is reported and left out. */
export function useAdditions(props: CrudPageProps): ExtendedScreen {
  const slots = useService(Slots);
  const filled = useSlot(screenOf(props.crud.menu));
  const [, setArrived] = useState<readonly LoadedAddition[]>();
  useEffect(() => {
    if (filled.length === 0 || loadedCache.has(filled)) return;
    let isWanted = true;
    void loadAll(filled, slots).then((loaded) => {
      loadedCache.set(filled, loaded);
      if (isWanted) setArrived(loaded);
    });
    return () => {
      isWanted = false;
    };
  }, [filled, slots]);
  const loaded = loadedCache.get(filled);
  const { crud, fields } = props;
  // The result is memoized, because open forms depend on its identity.
  const extension = useMemo(() => extendForms(crud, fields, loaded ?? nothing), [crud, fields, loaded]);
  if (!loaded) return { props, added: [], inputs: extension.inputs };
  const { inputs, ...shown } = extension;
  return { ...mergeAdditions({ ...props, ...shown }, loaded), inputs };
}

/** Returns the additions loaded for a slot, once a screen has requested them. */
export const additionsOf = (filled: readonly SlotContribution<unknown>[]): readonly LoadedAddition[] =>
  loadedCache.get(filled as readonly SlotContribution<LoadScreenAddition>[]) ?? nothing;

async function loadAll(filled: readonly SlotContribution<LoadScreenAddition>[], slots: Slots): Promise<readonly LoadedAddition[]> {
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

interface FieldInputs extends Pick<CrudPageProps, 'crud' | 'fields'> {
  readonly inputs: Readonly<Record<string, InputOverride>>;
}

/** Returns the fields and overrides of a screen's forms and views, additions included. */
function extendForms(crud: CrudPageProps['crud'], fields: CrudPageProps['fields'], loaded: readonly LoadedAddition[]): FieldInputs {
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

function mergeAdditions(props: CrudPageProps, loaded: readonly LoadedAddition[]): Omit<ExtendedScreen, 'inputs'> {
  const own = props as unknown as UntypedParts;
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
      // A column with the name of an added field renders that field.
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
  const made: UntypedParts = { columns, actions: hasToolbar ? actions : { row: actions.row } };
  return { added, props: { ...props, ...made } as unknown as CrudPageProps };
}

/** Renders cells with the services of the plugin that adds them. */
const addedCell =
  (of: SlotContribution<unknown>, Cell: ComponentType<{ readonly row: Row }>) =>
  (row: Row): ReactNode => (
    <ContributionBoundary of={of}>
      <Cell row={row} />
    </ContributionBoundary>
  );

/** Wraps a control with the services of the plugin that adds it. */
const addedControl = (of: SlotContribution<unknown>, Control: ComponentType<InputProps>): ComponentType<InputProps> =>
  function AddedControl(props) {
    return (
      <ContributionBoundary of={of}>
        <Control {...props} />
      </ContributionBoundary>
    );
  };
