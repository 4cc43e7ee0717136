import { CrudPage, Http, Toasts, useService, useTranslation } from '#kernel';
import { channelStatus, type PayChannelRow, payChannel } from '../contract.ts';
import { payChannelMenu } from '../menus.ts';
import { wechatPayMessages } from './messages.ts';

const titles = { enable: wechatPayMessages.enable, disable: wechatPayMessages.disable } as const;

const isOff = ({ status }: PayChannelRow) => status === channelStatus.off;

/** Lists the WeChat Pay merchants of a tenant; while all are disabled, payments wait. */
export default function PayChannelPage() {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const t = useTranslation();
  const action = (verb: keyof typeof titles) => ({
    title: titles[verb],
    code: 'pay_channel_enable',
    when: (row: PayChannelRow) => isOff(row) === (verb === 'enable'),
    onClick: async ({ id }: PayChannelRow, screen: { reload(): void }) => {
      if (!(await http.send(payChannel[verb], { id })).success) return;
      toasts.success(t(verb === 'enable' ? wechatPayMessages.enabled : wechatPayMessages.disabled));
      screen.reload();
    },
  });
  return (
    <CrudPage
      crud={payChannel}
      title={payChannelMenu.title}
      noun={wechatPayMessages.noun}
      presentation="drawer"
      formWidth={760}
      actions={{ row: [action('enable'), action('disable')], remove: isOff }}
    />
  );
}
