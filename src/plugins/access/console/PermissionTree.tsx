import { Checkbox } from '@arco-design/web-react';
import styles from './access.module.css';
import { extentOf, type GrantBranch, type SelectedKeys } from './grant-selection.ts';

interface PermissionTreeProps {
  readonly branches: readonly GrantBranch[];
  readonly selected: SelectedKeys;
  readonly onToggle: (id: string) => void;
}

const button = 2;

/** Tree of groups and their pages, each page in one row with its buttons. */
export function PermissionTree(props: PermissionTreeProps) {
  return (
    <ul className={styles.branches}>
      {props.branches.map((branch) => (
        <li key={branch.id} className={isGroup(branch) ? styles.group : styles.page}>
          <Entry {...props} branch={branch} />
          {isGroup(branch) ? <PermissionTree {...props} branches={branch.children ?? []} /> : <Buttons {...props} branch={branch} />}
        </li>
      ))}
    </ul>
  );
}

interface EntryProps extends PermissionTreeProps {
  readonly branch: GrantBranch;
}

function Entry({ branch, selected, onToggle }: EntryProps) {
  const extent = extentOf(branch, selected);
  return (
    <Checkbox className={styles.entry ?? ''} checked={extent === 'all'} indeterminate={extent === 'some'} onChange={() => onToggle(branch.id)}>
      {branch.title}
    </Checkbox>
  );
}

function Buttons({ branch, selected, onToggle }: EntryProps) {
  return (
    <span className={styles.buttons}>
      {(branch.children ?? []).map(({ id, title }) => (
        <Checkbox key={id} checked={selected.has(id)} onChange={() => onToggle(id)} aria-label={`${branch.title}: ${title}`}>
          {title}
        </Checkbox>
      ))}
    </span>
  );
}

const isGroup = ({ children = [] }: GrantBranch) => children.some(({ category }) => category !== button);
