import { Input } from '@arco-design/web-react';
import { IconRight } from '@arco-design/web-react/icon';
import { useState } from 'react';
import { useQuery, useTranslation } from '#kernel';
import type { ReplyOf } from '#shared/contract';
import { dept } from '../contract.ts';
import { consoleMessages } from './messages.ts';
import styles from './UserPage.module.css';

interface DepartmentTreeProps {
  readonly chosen: string | undefined;
  readonly onChoose: (id: string | undefined) => void;
}

/** Tree of departments with a single selection; reloaded whenever its tab is shown. */
export function DepartmentTree({ chosen, onChoose }: DepartmentTreeProps) {
  const t = useTranslation();
  const [typed, setTyped] = useState('');
  const { data, isPending, refetch } = useQuery(dept.tree, {}, { quiet: true });
  const found = branchesNamed(data ?? [], typed);
  return (
    <nav className={styles.departments} aria-label={t(consoleMessages.departments)}>
      <Input.Search
        allowClear
        value={typed}
        onChange={setTyped}
        placeholder={t(consoleMessages.findDepartment)}
        aria-label={t(consoleMessages.findDepartment)}
      />
      <div className={styles.tree} aria-busy={isPending}>
        {typed === '' && <Name title={t(consoleMessages.everybody)} isChosen={chosen === undefined} onClick={() => onChoose(undefined)} />}
        <Branches branches={found} chosen={chosen} isSought={typed !== ''} onChoose={onChoose} isOpen={found.length === 1} />
        {data && found.length === 0 && typed !== '' && <p className={styles.note}>{t(consoleMessages.noDepartment)}</p>}
        {!data && !isPending && (
          <p className={styles.note} role="alert">
            {t(consoleMessages.unread)}{' '}
            <button type="button" className={styles.name} onClick={refetch}>
              {t(consoleMessages.retry)}
            </button>
          </p>
        )}
      </div>
    </nav>
  );
}

interface BranchesProps extends DepartmentTreeProps {
  readonly branches: readonly DepartmentBranch[];
  /** True during a search, which expands all matches. */
  readonly isSought: boolean;
  readonly isOpen: boolean;
}

function Branches({ branches, isOpen, ...rest }: BranchesProps) {
  if (branches.length === 0) return null;
  return (
    <ul>
      {branches.map((branch) => (
        <Branch key={`${branch.value} ${rest.isSought}`} branch={branch} isFirstOpen={isOpen || rest.isSought} {...rest} />
      ))}
    </ul>
  );
}

interface BranchProps extends DepartmentTreeProps {
  readonly branch: DepartmentBranch;
  readonly isSought: boolean;
  readonly isFirstOpen: boolean;
}

function Branch({ branch: { value, title, children }, isFirstOpen, ...rest }: BranchProps) {
  const t = useTranslation();
  const [isOpen, setIsOpen] = useState(isFirstOpen);
  return (
    <li>
      <div className={styles.branch}>
        {children ? (
          <button
            type="button"
            className={styles.fold}
            aria-expanded={isOpen}
            aria-label={t(consoleMessages.open, { name: title })}
            onClick={() => setIsOpen(!isOpen)}
          >
            <IconRight />
          </button>
        ) : (
          <span className={styles.leaf} />
        )}
        <Name title={title} isChosen={rest.chosen === value} onClick={() => rest.onChoose(rest.chosen === value ? undefined : value)} />
      </div>
      {isOpen && children && <Branches branches={children} isOpen={false} {...rest} />}
    </li>
  );
}

function Name({ title, isChosen, onClick }: { readonly title: string; readonly isChosen: boolean; readonly onClick: () => void }) {
  return (
    <button type="button" className={styles.name} aria-pressed={isChosen} title={title} onClick={onClick}>
      {title}
    </button>
  );
}

type DepartmentBranch = ReplyOf<typeof dept.tree>[number];

/** Returns branches whose name, or a descendant's name, contains the text; all of them for an empty text. */
export function branchesNamed(branches: readonly DepartmentBranch[], text: string): DepartmentBranch[] {
  const needle = text.trim().toLowerCase();
  if (needle === '') return [...branches];
  return branches.flatMap((branch) => {
    const { children: below = [], ...alone } = branch;
    if (branch.title.toLowerCase().includes(needle)) return [branch];
    const children = branchesNamed(below, needle);
    return children.length > 0 ? [{ ...alone, children }] : [];
  });
}
