import { useMemo } from 'react';
import { useAddressText, useMediaQuery, useTranslation } from '#kernel';
import { DepartmentTree } from './DepartmentTree.tsx';
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
