import { useEffect, useState } from 'react';
import { useStore } from '../../base/react/use-store.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { Icon } from '../../ui/primitives/Icon.tsx';
import { Tag } from '../cells/Tag.tsx';
import { useCrudStore } from '../model/use-crud-store.ts';
import { DataTable } from '../table/DataTable.tsx';
import { useChildRows } from '../table/rows/child-rows.ts';
import { EmptyState } from '../table/tools/EmptyState.tsx';
import { Paging } from '../table/tools/Paging.tsx';
import type { LayoutProps } from './LayoutView.tsx';
import { groupFilter, useGroups, useLoadCount, type ValueGroup } from './use-groups.ts';
import { viewMessages } from './view-messages.ts';

/** Number of groups that are initially open. */
const initiallyOpenGroups = 3;

/** Shows the rows of a list in a table for each value of a field; a closed group loads nothing. */
export default function Groups(props: LayoutProps) {
  const { store, crud, by, caption } = props;
  const t = useTranslation();
  const { groups, limit, isPending, error } = useGroups(store, crud, by, false);
  return (
    <section className="groups" aria-label={caption} aria-busy={isPending}>
      {error && <p role="alert">{`${t(viewMessages.failed)} · ${error.message}`}</p>}
      {!isPending && groups.length === 0 && <EmptyState store={store} crud={crud} />}
      {limit && <p className="views__note">{limit}</p>}
      {groups.map((group, index) => (
        <Group key={group.key} {...props} group={group} isInitiallyOpen={index < initiallyOpenGroups} />
      ))}
    </section>
  );
}

interface GroupProps extends LayoutProps {
  readonly group: ValueGroup;
  readonly isInitiallyOpen: boolean;
}

function Group({ isInitiallyOpen, ...props }: GroupProps) {
  const { group } = props;
  const [isOpen, setIsOpen] = useState(isInitiallyOpen);
  return (
    <section className="groups__group">
      <h2 className="groups__heading">
        <button type="button" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          <Icon name={isOpen ? 'chevronDown' : 'chevronRight'} size={16} />
          <Tag tone={group.tone}>{group.title}</Tag>
          <span className="groups__count">{group.count}</span>
        </button>
      </h2>
      {isOpen && <GroupRows {...props} />}
    </section>
  );
}

function GroupRows({ group, store, by, filter, ...table }: Omit<GroupProps, 'isInitiallyOpen'>) {
  const { crud } = table;
  const { filters, conditions, where, sort } = useStore(store, (state) => state.query);
  const groupStore = useCrudStore(crud, { ...filter, ...groupFilter(by, group) }, { filters, conditions: conditions ?? [], where, sort });
  const childRows = useChildRows(groupStore, crud);
  const loads = useLoadCount(store);
  const [seen] = useState({ loads });
  useEffect(() => {
    if (seen.loads === loads) return;
    seen.loads = loads;
    groupStore.restoreQuery({ ...groupStore.state.query, filters, conditions: conditions ?? [], where, sort });
    groupStore.reload();
  }, [groupStore, seen, loads, filters, conditions, where, sort]);
  return (
    <>
      <DataTable
        {...table}
        store={groupStore}
        childRows={childRows}
        caption={`${table.caption} · ${group.title}`}
        isSelectable={false}
        followsWindow={false}
        emptyState={<EmptyState store={groupStore} crud={crud} />}
      />
      {group.count > 10 && <Paging store={groupStore} title={`${table.caption} · ${group.title}`} />}
    </>
  );
}
