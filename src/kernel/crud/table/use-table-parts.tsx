import { type ComponentProps, type ReactNode, useMemo, useRef } from 'react';
import { useStore } from '../../use-store.ts';
import type { CrudStore } from '../crud-store.ts';
import type { LabelledColumn } from './cards.ts';
import type { Roving } from './use-roving.ts';
import { windowFrom } from './use-window.ts';

interface TableParts {
  readonly store: CrudStore;
  readonly roving: Roving;
  readonly caption: string;
  readonly count: number;
  readonly above: number;
  readonly below: number;
  /** True: rows are cards. */
  readonly isCarded: boolean;
}

/** The parts of Arco's table: its name, the space that rows which are not drawn take, and what each heading and row knows of the store by itself. */
export function useTableParts({ store, roving, caption, count, above, below, isCarded }: TableParts) {
  const space = useRef({ above, below, count });
  space.current = { above, below, count };
  return useMemo(() => {
    const table = ({ children, ...props }: ComponentProps<'table'>) => (
      <table {...props} {...(isCarded ? { role: 'table' } : {})} {...(space.current.count > windowFrom ? { 'aria-rowcount': space.current.count + 1 } : {})}>
        <caption className="visually-hidden">{caption}</caption>
        {children}
      </table>
    );
    const tbody = ({ children, ...props }: ComponentProps<'tbody'>) => (
      <tbody {...props}>
        {space.current.above > 0 && <Gap height={space.current.above} />}
        {children}
        {space.current.below > 0 && <Gap height={space.current.below} />}
      </tbody>
    );
    const th = (props: ComponentProps<'th'>) => <Heading {...props} store={store} />;
    const row = (props: ComponentProps<'tr'>) => <BodyRow {...props} {...(isCarded ? { role: 'row' } : {})} store={store} roving={roving} />;
    return { table, header: { th }, body: { tbody, row, ...(isCarded ? { td: CardLine, cell: Labelled } : { cell: Plain }) } };
  }, [store, roving, caption, isCarded]);
}

const orders = { asc: 'ascending', desc: 'descending' } as const;

interface HeadingProps extends ComponentProps<'th'> {
  readonly store: CrudStore;
  readonly 'data-sort'?: string;
}

/** A heading of a field that sorts says how. */
function Heading({ store, 'data-sort': field, ...props }: HeadingProps) {
  const direction = useStore(store, ({ query: { sort } }) => (sort && sort.field === field ? sort.direction : undefined));
  return <th {...props} {...(field === undefined ? {} : { 'aria-sort': direction ? orders[direction] : 'none' })} />;
}

interface BodyRowProps extends ComponentProps<'tr'> {
  readonly store: CrudStore;
  readonly roving: Roving;
  readonly 'data-row'?: string;
  /** What Arco hands to every row of one's own; neither is an attribute. */
  readonly record?: unknown;
  readonly index?: number;
}

function BodyRow({ store, roving, record: _, index: __, ...props }: BodyRowProps) {
  const id = props['data-row'];
  const isChosen = useStore(store, ({ selected }) => id !== undefined && selected.has(id));
  const tabIndex = useStore(roving, (state) => (id === undefined ? undefined : state.id === id ? 0 : -1));
  return <tr {...props} tabIndex={tabIndex} className={isChosen ? `${props.className} crud-table__row_chosen` : props.className} />;
}

/** What a cell holds, without the element Arco puts around it. */
const Plain = ({ children }: { readonly children?: ReactNode }) => children;

// biome-ignore lint/a11y/noRedundantRoles: laid out as anything but the cell of a table, some browsers take it for nothing of the kind
const CardLine = (props: ComponentProps<'td'>) => <td {...props} role="cell" />;

interface LabelledProps {
  readonly column: LabelledColumn;
  readonly children?: ReactNode;
}

/** What a cell holds beside what it is called, in a card. */
function Labelled({ column, children }: LabelledProps) {
  return (
    <>
      <span className="crud-card__label">{column.label}</span>
      <div className="crud-card__content">{children}</div>
    </>
  );
}

const Gap = ({ height }: { readonly height: number }) => (
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row without anything in it takes no focus
  <tr aria-hidden="true">
    <td style={{ height, padding: 0 }} />
  </tr>
);
