import { type ComponentProps, type ReactNode, useMemo, useRef } from 'react';
import { useStore } from '../../base/react/use-store.ts';
import type { CrudStore } from '../model/crud-store.ts';
import type { LabelledColumn } from './columns/table-columns.tsx';
import type { Roving } from './rows/row-keys.ts';
import { windowFrom } from './rows/use-window.ts';

interface TablePartsOptions {
  readonly store: CrudStore;
  readonly roving: Roving;
  readonly caption: string;
  readonly count: number;
  readonly above: number;
  readonly below: number;
  /** True when rows are cards. */
  readonly isCarded: boolean;
}

/** Components for Arco's table: an accessible name, spacers in place of rows that are not rendered, and headings and rows that read the store by themselves. */
export function useTableParts({ store, roving, caption, count, above, below, isCarded }: TablePartsOptions) {
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
        {space.current.above > 0 && <Spacer height={space.current.above} />}
        {children}
        {space.current.below > 0 && <Spacer height={space.current.below} />}
      </tbody>
    );
    const th = (props: ComponentProps<'th'>) => <Heading {...props} store={store} />;
    const row = (props: ComponentProps<'tr'>) => <BodyRow {...props} {...(isCarded ? { role: 'row' } : {})} store={store} roving={roving} />;
    return { table, header: { th }, body: { tbody, row, ...(isCarded ? { td: CardCell, cell: LabelledContent } : { cell: PlainContent }) } };
  }, [store, roving, caption, isCarded]);
}

const orders = { asc: 'ascending', desc: 'descending' } as const;

interface HeadingProps extends ComponentProps<'th'> {
  readonly store: CrudStore;
  readonly 'data-sort'?: string;
}

/** Renders a heading with `aria-sort` where its field can be sorted. */
function Heading({ store, 'data-sort': field, ...props }: HeadingProps) {
  const direction = useStore(store, ({ query: { sort } }) => (sort && sort.field === field ? sort.direction : undefined));
  return <th {...props} {...(field === undefined ? {} : { 'aria-sort': direction ? orders[direction] : 'none' })} />;
}

interface BodyRowProps extends ComponentProps<'tr'> {
  readonly store: CrudStore;
  readonly roving: Roving;
  readonly 'data-row'?: string;
  /** Arco passes these to every custom row; neither is an attribute. */
  readonly record?: unknown;
  readonly index?: number;
}

function BodyRow({ store, roving, record: _, index: __, ...props }: BodyRowProps) {
  const id = props['data-row'];
  const isSelected = useStore(store, ({ selected }) => id !== undefined && selected.has(id));
  const tabIndex = useStore(roving, (state) => (id === undefined ? undefined : state.id === id ? 0 : -1));
  return <tr {...props} tabIndex={tabIndex} className={isSelected ? `${props.className} crud-table__row_chosen` : props.className} />;
}

/** Renders the content of a cell without the wrapper of Arco. */
const PlainContent = ({ children }: { readonly children?: ReactNode }) => children;

// biome-ignore lint/a11y/noRedundantRoles: with another `display` some browsers drop the role of a table cell
const CardCell = (props: ComponentProps<'td'>) => <td {...props} role="cell" />;

interface LabelledContentProps {
  readonly column: LabelledColumn;
  readonly children?: ReactNode;
}

/** Renders the content of a cell with its label in a card. */
function LabelledContent({ column, children }: LabelledContentProps) {
  return (
    <>
      <span className="crud-card__label">{column.label}</span>
      <div className="crud-card__content">{children}</div>
    </>
  );
}

const Spacer = ({ height }: { readonly height: number }) => (
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row without content takes no focus
  <tr aria-hidden="true">
    <td style={{ height, padding: 0 }} />
  </tr>
);
