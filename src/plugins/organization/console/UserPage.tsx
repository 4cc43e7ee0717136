import { Input } from '@arco-design/web-react';
import { IconRight } from '@arco-design/web-react/icon';
import { useMemo, useState } from 'react';
import { matchesSearch, useAddressText, useMediaQuery, usePinyin, useQuery, useTranslation } from '#kernel';
import type { ReplyOf } from '#shared/contract';
import { dept } from '../contract.ts';
import { consoleMessages } from './messages.ts';
import styles from './UserPage.module.css';
import { UserTable } from './UserTable.tsx';

/** Shows users beside the departments, or below a line that opens them on a narrow screen: selecting a department shows its users and those of its descendants. */
export default function UserPage() {
  const [dept, setDept] = useAddressText('dept', { resets: ['page'] });
  const deptId = dept || undefined;
  const t = useTranslation();
  const isNarrow = useMediaQuery('(max-width: 991px)');
  const filter = useMemo((): Readonly<Record<string, string>> => (deptId ? { deptId_equal: deptId } : {}), [deptId]);
  const departments = <DepartmentTree selectedId={deptId} onSelect={(id) => setDept(id ?? '')} />;
  return (
    <div className={styles.page}>
      {isNarrow ? (
        <details className={styles.folded} open={deptId !== undefined}>
          <summary>{t(consoleMessages.departments)}</summary>
          {departments}
        </details>
      ) : (
        departments
      )}
      <UserTable filter={filter} deptId={deptId} />
    </div>
  );
}

interface DepartmentTreeProps {
  readonly selectedId: string | undefined;
  readonly onSelect: (id: string | undefined) => void;
}

/** Tree of departments with a single selection; it is reloaded whenever its tab is shown. */
function DepartmentTree({ selectedId, onSelect }: DepartmentTreeProps) {
  const t = useTranslation();
  const [query, setQuery] = useState('');
  usePinyin(query !== '');
  const { data, isPending, refetch } = useQuery(dept.tree, {}, { quiet: true });
  const branches = filterBranches(data ?? [], query);
  return (
    <nav className={styles.departments} aria-label={t(consoleMessages.departments)}>
      <Input.Search
        allowClear
        value={query}
        onChange={setQuery}
        placeholder={t(consoleMessages.findDepartment)}
        aria-label={t(consoleMessages.findDepartment)}
      />
      <div className={styles.tree} aria-busy={isPending}>
        {query === '' && <Name title={t(consoleMessages.allUsers)} isSelected={selectedId === undefined} onClick={() => onSelect(undefined)} />}
        <Branches branches={branches} selectedId={selectedId} isSearching={query !== ''} onSelect={onSelect} isOpen={branches.length === 1} />
        {data && branches.length === 0 && query !== '' && <p className={styles.note}>{t(consoleMessages.noDepartment)}</p>}
        {!data && !isPending && (
          <p className={styles.note} role="alert">
            {t(consoleMessages.departmentsFailed)}{' '}
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
  readonly isSearching: boolean;
  readonly isOpen: boolean;
}

function Branches({ branches, isOpen, ...rest }: BranchesProps) {
  if (branches.length === 0) return null;
  return (
    <ul>
      {branches.map((branch) => (
        <Branch key={`${branch.value} ${rest.isSearching}`} branch={branch} isInitiallyOpen={isOpen || rest.isSearching} {...rest} />
      ))}
    </ul>
  );
}

interface BranchProps extends DepartmentTreeProps {
  readonly branch: DepartmentBranch;
  readonly isSearching: boolean;
  readonly isInitiallyOpen: boolean;
}

function Branch({ branch: { value, title, children }, isInitiallyOpen, ...rest }: BranchProps) {
  const t = useTranslation();
  const [isOpen, setIsOpen] = useState(isInitiallyOpen);
  return (
    <li>
      <div className={styles.branch}>
        {children ? (
          <button
            type="button"
            className={styles.fold}
            aria-expanded={isOpen}
            aria-label={t(consoleMessages.expand, { name: title })}
            onClick={() => setIsOpen(!isOpen)}
          >
            <IconRight />
          </button>
        ) : (
          <span className={styles.leaf} />
        )}
        <Name title={title} isSelected={rest.selectedId === value} onClick={() => rest.onSelect(rest.selectedId === value ? undefined : value)} />
      </div>
      {isOpen && children && <Branches branches={children} isOpen={false} {...rest} />}
    </li>
  );
}

function Name({ title, isSelected, onClick }: { readonly title: string; readonly isSelected: boolean; readonly onClick: () => void }) {
  return (
    <button type="button" className={styles.name} aria-pressed={isSelected} title={title} onClick={onClick}>
      {title}
    </button>
  );
}

type DepartmentBranch = ReplyOf<typeof dept.tree>[number];

/** Returns branches whose name, or a descendant's name, contains the text or its pinyin; all of them for an empty text. */
export function filterBranches(branches: readonly DepartmentBranch[], text: string): DepartmentBranch[] {
  if (text.trim() === '') return [...branches];
  return branches.flatMap((branch) => {
    if (matchesSearch(branch.title, text)) return [branch];
    const { children: all = [], ...rest } = branch;
    const children = filterBranches(all, text);
    return children.length > 0 ? [{ ...rest, children }] : [];
  });
}
