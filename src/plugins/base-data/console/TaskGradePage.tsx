import { CrudPage } from '#kernel';
import { taskGrade } from '../contract.ts';
import { taskGradeMenu } from '../menus.ts';
import { nouns } from './nouns.ts';

/** Lists task grades. Top task: change the pay of a grade, 2 clicks besides typing (edit, save). */
export default function TaskGradePage() {
  return <CrudPage crud={taskGrade} title={taskGradeMenu.title} noun={nouns.taskGrade} />;
}
