import { useMemo, useState } from 'react';
import { DepartmentTree } from './DepartmentTree.tsx';
import styles from './UserPage.module.css';
import { UserTable } from './UserTable.tsx';

/** Users beside the departments: choosing one shows who belongs to it and to those below. */
export default function UserPage() {
  const [deptId, choose] = useState<string>();
  const filter = useMemo((): Readonly<Record<string, string>> => (deptId ? { deptId_equal: deptId } : {}), [deptId]);
  return (
    <div className={styles.page}>
      <DepartmentTree chosen={deptId} onChoose={choose} />
      <UserTable filter={filter} deptId={deptId} />
    </div>
  );
}
