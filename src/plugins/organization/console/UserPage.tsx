import { useMemo, useState } from 'react';
import { DepartmentTree } from './DepartmentTree.tsx';
import styles from './UserPage.module.css';
import { UserTable } from './UserTable.tsx';

/** Shows users beside the departments: selecting a department shows its users and those of its descendants. */
export default function UserPage() {
  const [deptId, setDeptId] = useState<string>();
  const filter = useMemo((): Readonly<Record<string, string>> => (deptId ? { deptId_equal: deptId } : {}), [deptId]);
  return (
    <div className={styles.page}>
      <DepartmentTree selectedId={deptId} onSelect={setDeptId} />
      <UserTable filter={filter} deptId={deptId} />
    </div>
  );
}
