import { repositoryOf, type ServerContext } from '#server';
import { Param } from '../param-contract.ts';

/** Seeds the parameters the server reads, with their default values. */
export async function seedParams({ db }: ServerContext): Promise<void> {
  const params = repositoryOf(db, Param);
  await params.save({ paramName: '登录失败锁定次数', paramKey: 'account.failCount', paramValue: '5', remark: '连续登录失败达到此次数后，账号锁定30分钟' });
}
