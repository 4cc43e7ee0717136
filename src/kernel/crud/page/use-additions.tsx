import { type ComponentType, type ReactNode, useEffect, useMemo, useState } from 'react';
import type { TSchema } from 'typebox';
import * as Type from 'typebox';
import { addedFields, type TightenedField } from '#shared/entity-extension';
import { type FieldTraits, traitsOf } from '#shared/fields';
import { useService } from '../../base/react/services.tsx';
import { ContributionBoundary } from '../../ui/slots/ContributionBoundary.tsx';
import { type SlotContribution, Slots, useSlot } from '../../ui/slots/slots.ts';
import type { ColumnOverride, CrudPageProps, InputOverride, InputProps, Row } from '../model/crud-screen.ts';
import type { ScreenField } from '../model/entity-fields.ts';
import { insertNames, withFields, withOverrides } from '../model/extended-entity.ts';
import { ListRowActions, type LoadScreenAddition, type ScreenAddition, screenOf } from './screen-additions.ts';
import { useStateActions } from './use-state-actions.ts';

/** A screen with the additions of other plugins. */
export interface ExtendedScreen {
  /** Props whose `crud` and `fields` apply to forms and views: lists, exports and bulk edits ignore the additions. */
  readonly props: CrudPageProps;
  /** Added columns, which can be neither searched nor exported. */
  readonly added: readonly ScreenField[];
  /** Overrides of form fields. */
  readonly inputs: Readonly<Record<string, InputOverride>>;
  /** Renders what plugins add to the heading of an opened record. */
  readonly summary?: (row: Row) => ReactNode;
}

/** Parts that are merged, typed without the screen's entity. */
interface UntypedParts {
  readonly columns?: Readonly<Record<string, ColumnOverride | undefined>>;
  readonly actions?: ScreenAddition<Row>['actions'];
}

/** An addition with its slot contribution. */
export interface LoadedAddition {
  readonly contribution: SlotContribution<LoadScreenAddition>;
  readonly addition: ScreenAddition<Row>;
}

const noAdditions: readonly LoadedAddition[] = [];

/** A slot returns the same array until a contribution changes, so the array can key the loaded additions. */
const loadedCache = new WeakMap<readonly SlotContribution<LoadScreenAddition>[], readonly LoadedAddition[]>();

/** Returns a screen with the transitions of its entity and the additions of other plugins, for this screen and for all lists. */
export function useAdditions(props: CrudPageProps): ExtendedScreen {
  const { props: extendedProps, ...screen } = useScreenAdditions(props);
  const screenProps = useStateActions(extendedProps);
  const buttons = useSlot(ListRowActions).flatMap(({ part, services }) => {
    const button = part(props.crud, services);
    return button ? [{ ...button, isSecondary: true }] : [];
  });
  if (buttons.length === 0) return { ...screen, props: screenProps };
  const actions = (screenProps as UntypedParts).actions;
  const extended = { ...screenProps, actions: { ...actions, row: [...(actions?.row ?? []), ...buttons] } };
  return { ...screen, props: extended as unknown as CrudPageProps };
}

/** Returns the screen with its own additions once they are loaded, in parallel with its rows. An addition that fails to load is reported and left out. */
function useScreenAdditions(props: CrudPageProps): ExtendedScreen {
  const slots = useService(Slots);
  const contributions = useSlot(screenOf(props.crud.menu));
  const [, setLoaded] = useState<readonly LoadedAddition[]>();
  useEffect(() => {
    if (contributions.length === 0 || loadedCache.has(contributions)) return;
    let isMounted = true;
    void loadAll(contributions, slots).then((loaded) => {
      loadedCache.set(contributions, loaded);
      if (isMounted) setLoaded(loaded);
    });
    return () => {
      isMounted = false;
    };
  }, [contributions, slots]);
  const loaded = loadedCache.get(contributions);
  const { crud, fields } = props;
  // The result is memoized, because open forms depend on its identity.
  const extension = useMemo(() => extendForms(crud, fields, loaded ?? noAdditions), [crud, fields, loaded]);
  const { columns, actions } = props;
  // Rows are rendered again only for new columns.
  const merged = useMemo(() => loaded && mergeAdditions({ columns, actions } as UntypedParts, loaded), [columns, actions, loaded]);
  if (!merged) return { props, added: [], inputs: extension.inputs };
  const { inputs, ...shown } = extension;
  const summary = loaded?.some(({ addition }) => addition.Summary) ? { summary: summaryOf(loaded) } : {};
  return { props: { ...props, ...shown, ...merged.parts } as CrudPageProps, added: merged.added, inputs, ...summary };
}

/** Returns the additions that screens have loaded for a slot. */
export const additionsOf = (contributions: readonly SlotContribution<unknown>[]): readonly LoadedAddition[] =>
  loadedCache.get(contributions as readonly SlotContribution<LoadScreenAddition>[]) ?? noAdditions;

async function loadAll(contributions: readonly SlotContribution<LoadScreenAddition>[], slots: Slots): Promise<readonly LoadedAddition[]> {
  const loaded = await Promise.all(
    contributions.map(async (contribution) => {
      try {
        const { default: additionOf } = await contribution.part();
        return [{ contribution, addition: additionOf({ get: (service) => contribution.services.get(service) }) as unknown as ScreenAddition<Row> }];
      } catch (error) {
        slots.report(contribution.pluginId, error);
        return [];
      }
    }),
  );
  return loaded.flat();
}

interface FieldInputs extends Pick<CrudPageProps, 'crud' | 'fields'> {
  readonly inputs: Readonly<Record<string, InputOverride>>;
}

/** Returns the fields and overrides of a screen's forms and views, including additions. */
function extendForms(crud: CrudPageProps['crud'], fields: CrudPageProps['fields'], loaded: readonly LoadedAddition[]): FieldInputs {
  const extensions = loaded.flatMap(({ addition }) => addition.fields ?? []);
  const inputs: Record<string, InputOverride> = {};
  for (const { contribution, addition } of loaded)
    for (const [name, override] of Object.entries((addition.inputs ?? {}) as Record<string, InputOverride>)) {
      const { Control } = override;
      inputs[name] = { ...inputs[name], ...override, ...(Control ? { Control: addedControl(contribution, Control) } : {}) };
    }
  const own = fields ? { fields } : {};
  if (extensions.length === 0 && Object.keys(inputs).length === 0) return { crud, ...own, inputs };
  const added: Record<string, TSchema> = Object.assign({}, ...extensions.map(addedFields));
  const tightened: Record<string, TightenedField> = Object.assign({}, ...extensions.map((extension) => extension.tightened));
  const extendedFields = fields ? { fields: insertNames(fields, crud.entity, added) as NonNullable<typeof fields> } : {};
  return { crud: { ...crud, entity: withOverrides(withFields(crud.entity, added), tightened, inputs) }, ...extendedFields, inputs };
}

interface MergedParts extends Pick<ExtendedScreen, 'added'> {
  readonly parts: UntypedParts;
}

function mergeAdditions(own: UntypedParts, loaded: readonly LoadedAddition[]): MergedParts {
  const added: ScreenField[] = [];
  const columns: Record<string, ColumnOverride | undefined> = { ...own.columns };
  for (const { contribution, addition } of loaded) {
    for (const [name, schema] of Object.entries(addition.fields ? addedFields(addition.fields) : {})) {
      const traits = traitsOf(schema) as FieldTraits;
      if (traits.list !== false) added.push({ name, schema, traits });
    }
    for (const [name, override] of Object.entries(addition.overrides ?? {})) columns[name] = { ...columns[name], ...(override as ColumnOverride) };
    for (const [key, { Cell, title, width, isNumber, hidden }] of Object.entries(addition.columns ?? {})) {
      const name = `${contribution.pluginId}:${key}`;
      // A column with the name of an added field renders that field.
      if (!added.some((field) => field.name === name))
        added.push({ name, schema: Type.Unknown(), traits: { title, widget: isNumber ? 'number' : 'text' } as FieldTraits });
      columns[name] = { ...(width === undefined ? {} : { width }), ...(hidden ? { hidden } : {}), render: addedCell(contribution, Cell) };
    }
  }
  const actions = {
    row: [...(own.actions?.row ?? []), ...loaded.flatMap(({ addition }) => addition.actions?.row ?? [])],
    toolbar: [...(own.actions?.toolbar ?? []), ...loaded.flatMap(({ addition }) => addition.actions?.toolbar ?? [])],
  };
  const hasToolbar = own.actions?.toolbar !== undefined || actions.toolbar.length > 0;
  return { added, parts: { columns, actions: { ...own.actions, ...(hasToolbar ? actions : { row: actions.row }) } } };
}

/** Renders cells with the services of the plugin that adds them. */
const addedCell =
  (contribution: SlotContribution<unknown>, Cell: ComponentType<{ readonly row: Row }>) =>
  (row: Row): ReactNode => (
    <ContributionBoundary owner={contribution}>
      <Cell row={row} />
    </ContributionBoundary>
  );

/** Renders the summaries of a record, each with the services of the plugin that adds it. */
const summaryOf = (loaded: readonly LoadedAddition[]) => (row: Row) =>
  loaded.map(
    ({ contribution, addition: { Summary } }) =>
      Summary && (
        <ContributionBoundary key={contribution.pluginId} owner={contribution}>
          <Summary row={row} />
        </ContributionBoundary>
      ),
  );

/** Wraps a control with the services of the plugin that adds it. */
const addedControl = (contribution: SlotContribution<unknown>, Control: ComponentType<InputProps>): ComponentType<InputProps> =>
  function AddedControl(props) {
    return (
      <ContributionBoundary owner={contribution}>
        <Control {...props} />
      </ContributionBoundary>
    );
  };
