import { useEffect, useState } from 'react';
import { Type } from 'typebox';
import type { FieldTraits } from '#shared/fields';
import { useService } from '../services.tsx';
import { addedCell } from '../slots/AddedCell.tsx';
import { type LoadScreenAddition, type ScreenAddition, screenOf } from '../slots/kernel-slots.ts';
import { type Filled, Slots } from '../slots/slots.ts';
import { useSlot } from '../slots/use-slot.ts';
import type { ColumnOverride, CrudPageProps, Row } from './crud-screen.ts';
import type { ScreenField } from './entity-fields.ts';

/** A screen with what other plugins add to it. */
export interface WithAdditions {
  readonly props: CrudPageProps;
  /** The columns they add: of no field, so neither searched nor exported. */
  readonly added: readonly ScreenField[];
}

/** What is merged, of a screen whose entity is not known here. */
interface Loose {
  readonly columns?: Readonly<Record<string, ColumnOverride | undefined>>;
  readonly actions?: ScreenAddition<Row>['actions'];
}

interface Loaded {
  readonly of: Filled<LoadScreenAddition>;
  readonly addition: ScreenAddition<Row>;
}

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
  return loaded ? merged(props, loaded) : { props, added: [] };
}

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

function merged(props: CrudPageProps, loaded: readonly Loaded[]): WithAdditions {
  const own = props as unknown as Loose;
  const added: ScreenField[] = [];
  const columns: Record<string, ColumnOverride | undefined> = { ...own.columns };
  for (const { of, addition } of loaded) {
    for (const [name, override] of Object.entries(addition.overrides ?? {})) columns[name] = { ...columns[name], ...(override as ColumnOverride) };
    for (const [key, { Cell, title, width, hidden }] of Object.entries(addition.columns ?? {})) {
      const name = `${of.pluginId}:${key}`;
      added.push({ name, schema: Type.Unknown(), traits: { title, widget: 'text' } as FieldTraits });
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
