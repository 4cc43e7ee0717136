import { useMemo } from 'react';
import { useAddressText } from '#kernel';
import { DepartmentTree } from './DepartmentTree.tsx';
import styles from './UserPage.module.css';
import { UserTable } from './UserTable.tsx';

/** Shows users beside the departments: selecting a department shows its users and those of its descendants. */
export default function UserPage() {
  const [dept, setDept] = useAddressText('dept', { resets: ['page'] });
  const deptId = dept || undefined;
  const filter = useMemo((): Readonly<Record<string, string>> => (deptId ? { deptId_equal: deptId } : {}), [deptId]);
  return (
    <div className={styles.page}>
      <DepartmentTree selectedId={deptId} onSelect={(id) => setDept(id ?? '')} />
      <UserTable filter={filter} deptId={deptId} />
    </div>
  );
}
