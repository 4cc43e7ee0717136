import { CrudPage, type PendingRowAction } from '#kernel';
import { registration } from '../contract.ts';
import { registrationMenu } from '../menus.ts';
import { registrationMessages as messages } from './messages.ts';

const { approve, refuse, ...calls } = registration;

const approval: PendingRowAction = {
  title: messages.approving,
  confirm: messages.approve,
  done: messages.approved,
  call: approve,
  fields: ['roleIds', 'deptIds'],
};
const refusal: PendingRowAction = { title: messages.refusing, confirm: messages.refuse, done: messages.refused, call: refuse, fields: ['reason'] };

/** Lists registration requests, which are approved with roles and departments or refused with a reason the applicant sees. */
export default function RegistrationPage() {
  return (
    <CrudPage
      crud={calls}
      title={registrationMenu.title}
      empty={{ title: messages.emptyTitle, hint: messages.emptyHint }}
      actions={{
        row: [
          { title: messages.approve, code: 'registration_approve', isPrimary: true, onClick: (row, { openRowAction }) => openRowAction(row, approval) },
          { title: messages.refuse, code: 'registration_refuse', onClick: (row, { openRowAction }) => openRowAction(row, refusal) },
        ],
      }}
    />
  );
}
