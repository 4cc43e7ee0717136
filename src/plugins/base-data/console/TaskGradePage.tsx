import { CrudPage } from '#kernel';
import { taskGrade } from '../contract.ts';
import { taskGradeMenu } from '../menus.ts';

/** Task grades. Top task: change what one pays, 2 clicks beside typing (edit, save). */
export default function TaskGradePage() {
  return <CrudPage crud={taskGrade} title={taskGradeMenu.title} />;
}
