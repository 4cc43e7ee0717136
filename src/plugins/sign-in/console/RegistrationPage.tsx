import { CrudPage, type RowErrand } from '#kernel';
import { registration, registrationWords as words } from '../contract.ts';
import { registrationMenu } from '../menus.ts';

const { approve, refuse, ...calls } = registration;

const approval: RowErrand = { title: words.approving, confirm: words.approve, done: words.approved, call: approve, fields: ['roleIds', 'deptIds'] };
const refusal: RowErrand = { title: words.refusing, confirm: words.refuse, done: words.refused, call: refuse, fields: ['reason'] };

/** Who asks for an account: let in with roles and departments, or refused with a reason that the applicant is told. */
export default function RegistrationPage() {
  return (
    <CrudPage
      crud={calls}
      title={registrationMenu.title}
      actions={{
        row: [
          { title: words.approve, code: 'registration_approve', onClick: (row, { ask }) => ask(row, approval) },
          { title: words.refuse, code: 'registration_refuse', onClick: (row, { ask }) => ask(row, refusal) },
        ],
      }}
    />
  );
}
