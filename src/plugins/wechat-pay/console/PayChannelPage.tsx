import { CrudPage } from '#kernel';
import { isProviderOff, useProviderActions } from '#plugins/payment/extension';
import { payChannel, payChannelNoun } from '../contract.ts';
import { payChannelMenu } from '../menus.ts';

/** Lists the WeChat Pay merchants of a tenant; while all are disabled, payments wait. */
export default function PayChannelPage() {
  return (
    <CrudPage
      crud={payChannel}
      title={payChannelMenu.title}
      noun={payChannelNoun}
      presentation="drawer"
      formWidth={760}
      actions={{ row: useProviderActions(payChannel, 'pay_channel_enable'), remove: isProviderOff }}
    />
  );
}
