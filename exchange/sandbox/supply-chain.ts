/**
 * The OpenRTB SupplyChain object 1.0 of a publisher that sells directly. OpenRTB 2.5 carries it as `source.ext.schain`.
 */
export function directSupplyChain(publisherId: string) {
  return { complete: 1, ver: '1.0', nodes: [{ asi: 'sandbox.example', sid: publisherId, hp: 1 }] } as const;
}
