import { expect, test } from '@rstest/core';
import { plugins } from '#deployment/server';
import { maskedKindOf, traitsOf } from '#shared/fields';
import { isChecked } from '../support/checked-plugins.ts';
import { openTestServer } from '../support/test-server.ts';

/** Names of fields that look like data of a person. */
const suspicious =
  /phone|mobile|e?mail|address|identity|idcard|document|bank|card|account|realname|nickname|birthday|openid|contact|linkman|receiver|recipient|ip$/i;

const security = 'the investigation of an attack needs the address and the account';
const deployment = 'belongs to the deployment or its company';
const provider = 'a setting of an identity provider';
const ledger = 'an account of the ledger, not of a person';
const money = 'users who pay a person see the payee; the record of a payment is never changed';
const masked = 'stored in masked form only';

/** Fields that are shown to everyone with the page although their name looks personal, with the reason. */
const unmaskedFields: Readonly<Record<string, string>> = {
  'api_log.remoteIp': security,
  'api_log.serverIp': deployment,
  'usual_log.serverIp': deployment,
  'error_log.remoteIp': security,
  'error_log.serverIp': deployment,
  'login_log.account': security,
  'login_log.address': security,
  'online_user.account': security,
  'online_user.realName': security,
  'online_user.address': security,
  'identity_provider.address': provider,
  'identity_provider.accountAttribute': provider,
  'identity_provider.emailAttribute': provider,
  'identity_provider.matchesEmail': provider,
  'identity_provider.createsAccounts': provider,
  'ledger_posting.account': ledger,
  'ledger_journal.accountCode': ledger,
  'ledger_journal.accountName': ledger,
  'payout.nickName': money,
  'payout.openid': money,
  'payout.accountKind': money,
  'payout.accountMask': masked,
  'bank_account.bank': deployment,
  'bank_account.account': deployment,
  'bank_file.bankAccountId': deployment,
  'bank_file_line.accountMask': masked,
  'bank_file_line.bank': money,
  'payee.documentKind': 'the kind of a document reveals nothing of it',
  'payee.documentMask': masked,
  'payee.bankName': 'the name of a bank; the account is encrypted',
  'payee.bankMask': masked,
  'payee.identityBy': 'a colleague, who has entered the identity',
  'payee.identityByName': 'a colleague, who has entered the identity',
  'platform_report_row.documentKind': 'the kind of a document reveals nothing of it',
  'platform_report_row.documentNo': 'encrypted, and part of no reply',
  'platform_report_row.documentMask': masked,
  'tenant.accountNumber': 'a number of accounts',
};

test('every field whose name looks personal is marked or listed with a reason, and masked values can be revealed', async () => {
  const server = await openTestServer({ plugins: plugins.map(({ plugin }) => plugin.id).filter(isChecked) });
  try {
    const entities = [...server.db.entities.values()];
    const undecided = entities.flatMap(({ name, fields }) =>
      Object.entries(fields)
        .filter(([field, schema]) => suspicious.test(field) && traitsOf(schema) && traitsOf(schema)?.personal === undefined)
        .map(([field]) => `${name}.${field}`)
        .filter((field) => unmaskedFields[field] === undefined),
    );
    expect(undecided).toEqual([]);
    // Masked values are shown by a button of a page.
    const buttons = new Set(
      plugins.flatMap(({ plugin: { menus = [] } }) => menus.flatMap(({ buttons = [] }) => buttons.map((one) => (typeof one === 'string' ? one : one.code)))),
    );
    const listed = entities.filter(
      ({ personal, fields }) => personal && Object.values(fields).some((schema) => maskedKindOf(schema) && traitsOf(schema)?.list !== false),
    );
    const unreachable = listed.filter(({ personal, name }) => !buttons.has(personal?.code ?? '') && name !== 'sms_validation').map(({ name }) => name);
    expect(unreachable).toEqual([]);
  } finally {
    await server.stop();
  }
}, 300_000);
