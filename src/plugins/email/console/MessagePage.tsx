import { CrudPage, Http, Toasts, useService, useTranslation } from '#kernel';
import { type EmailMessageRow, emailMessage, messageStates } from '../contract.ts';
import { emailMessageMenu } from '../menus.ts';
import { emailMessages } from './messages.ts';

const isUnsent = ({ state }: EmailMessageRow) => state === messageStates.failed || state === messageStates.queued;

/** Lists sent and queued e-mails. Top task: check whether an e-mail reached a person, 1 click besides typing (search). */
export default function MessagePage() {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const t = useTranslation();
  return (
    <CrudPage
      crud={emailMessage}
      title={emailMessageMenu.title}
      empty={{ title: emailMessages.emptyTitle, hint: emailMessages.emptyHint }}
      actions={{
        row: [
          {
            title: emailMessages.sendAgain,
            code: 'email_message_retry',
            when: isUnsent,
            onClick: async ({ id }, screen) => {
              const response = await http.send(emailMessage.retry, { ids: [id] });
              if (response.success) toasts.success(t(emailMessages.queuedAgain));
              screen.reload();
            },
          },
        ],
      }}
    />
  );
}
