import { CrudPage } from '#kernel';
import { jobServer } from '../contract.ts';
import { jobServerMenu } from '../menus.ts';

/** Who runs jobs. Top task: add an application, 2 clicks beside typing (add, save). */
export default function JobServerPage() {
  return <CrudPage crud={jobServer} title={jobServerMenu.title} />;
}
