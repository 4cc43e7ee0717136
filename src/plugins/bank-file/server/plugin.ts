import { providerStatus } from '#plugins/payment/contract';
import { PaymentProviders, ProviderPayouts } from '#plugins/payment/server-extension';
import { crudRoutes, defineServerPlugin, filterHandler, route } from '#server';
import { bankAccount, bankFile, bankFileLine } from '../contract.ts';
import { bankAccountMenu, bankFileLineMenu, bankFileMenu } from '../menus.ts';
import { BankAccounts } from './bank-accounts.ts';
import { BankFiles, settlementRoutes } from './bank-files.ts';

/** Bank files: payouts to bank accounts that finance pays at its bank, file by file. */
export default defineServerPlugin({
  id: 'bank-file',
  title: ['银行文件付款', 'Bank files'],
  dependencies: ['payment'],
  menus: [bankFileMenu, bankFileLineMenu, bankAccountMenu],

  setup({ db, get }) {
    const payouts = get(ProviderPayouts);
    const accounts = new BankAccounts(db, payouts);
    const files = new BankFiles(db, payouts);
    return {
      tasks: [{ everySeconds: 60, run: (signal) => files.sealAccounts(signal) }],
      filters: [filterHandler(PaymentProviders, (providers) => [...providers, accounts])],
      routes: [
        crudRoutes(bankAccount, accounts.rows),
        route(bankAccount.enable, ({ input }) => accounts.setStatus(input.id, providerStatus.enabled)),
        route(bankAccount.disable, ({ input }) => accounts.setStatus(input.id, providerStatus.off)),
        crudRoutes(bankFile, files.rows, { search: { fields: ['fileNo', 'runNo'], subtitle: ['runNo', 'state'] } }),
        crudRoutes(bankFileLine, files.lines, { search: { fields: ['payNo', 'name'], subtitle: ['payNo', 'outcome'] } }),
        ...settlementRoutes(files),
      ],
    };
  },
});
