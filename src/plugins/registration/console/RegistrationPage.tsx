import { CrudPage, type PendingRowAction } from '#kernel';
import { registration, registrationMessages as words } from '../contract.ts';
import { registrationMenu } from '../menus.ts';

const { approve, refuse, ...calls } = registration;

const approval: PendingRowAction = { title: words.approving, confirm: words.approve, done: words.approved, call: approve, fields: ['roleIds', 'deptIds'] };
const refusal: PendingRowAction = { title: words.refusing, confirm: words.refuse, done: words.refused, call: refuse, fields: ['reason'] };

/** Lists registration requests, which are approved with roles and departments or refused with a reason the applicant sees. */
export default function RegistrationPage() {
  return (
    <CrudPage
      crud={calls}
      title={registrationMenu.title}
      empty={{ title: words.emptyTitle, hint: words.emptyHint }}
      actions={{
        row: [
          { title: words.approve, code: 'registration_approve', isPrimary: true, onClick: (row, { openRowAction }) => openRowAction(row, approval) },
          { title: words.refuse, code: 'registration_refuse', onClick: (row, { openRowAction }) => openRowAction(row, refusal) },
        ],
      }}
    />
  );
}
