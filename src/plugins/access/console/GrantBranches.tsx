import { Checkbox } from '@arco-design/web-react';
import styles from './access.module.css';
import { type Chosen, extentOf, type GrantBranch } from './grant-selection.ts';

interface GrantBranchesProps {
  readonly branches: readonly GrantBranch[];
  readonly chosen: Chosen;
  readonly onToggle: (id: string) => void;
}

const button = 2;

/** Groups above their pages, each page in one line with its buttons. */
export function GrantBranches(props: GrantBranchesProps) {
  return (
    <ul className={styles.branches}>
      {props.branches.map((branch) => (
        <li key={branch.id} className={isGroup(branch) ? styles.group : styles.page}>
          <Entry {...props} branch={branch} />
          {isGroup(branch) ? <GrantBranches {...props} branches={branch.children ?? []} /> : <Buttons {...props} branch={branch} />}
        </li>
      ))}
    </ul>
  );
}

interface EntryProps extends GrantBranchesProps {
  readonly branch: GrantBranch;
}

function Entry({ branch, chosen, onToggle }: EntryProps) {
  const extent = extentOf(branch, chosen);
  return (
    <Checkbox className={styles.entry ?? ''} checked={extent === 'all'} indeterminate={extent === 'some'} onChange={() => onToggle(branch.id)}>
      {branch.title}
    </Checkbox>
  );
}

function Buttons({ branch, chosen, onToggle }: EntryProps) {
  return (
    <span className={styles.buttons}>
      {(branch.children ?? []).map(({ id, title }) => (
        <Checkbox key={id} checked={chosen.has(id)} onChange={() => onToggle(id)} aria-label={`${branch.title}: ${title}`}>
          {title}
        </Checkbox>
      ))}
    </span>
  );
}

const isGroup = ({ children = [] }: GrantBranch) => children.some(({ category }) => category !== button);
