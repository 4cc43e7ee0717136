import { CrudPage } from '#kernel';
import { isProviderOff } from '#plugins/payment/contract';
import { useProviderActions } from '#plugins/payment/extension';
import { type PayChannelRow, payChannel, payChannelNoun } from '../contract.ts';
import { payChannelMenu } from '../menus.ts';

/** Lists the WeChat Pay merchants of a tenant; while all are disabled, payments wait. */
export default function PayChannelPage() {
  const actions = useProviderActions<PayChannelRow>({ ...payChannel, code: 'pay_channel_enable', isOff: isProviderOff });
  return (
    <CrudPage
      crud={payChannel}
      title={payChannelMenu.title}
      noun={payChannelNoun}
      presentation="drawer"
      formWidth={760}
      actions={{ row: actions, remove: isProviderOff }}
    />
  );
}
