/** The part of `pg` that fixpoint uses; the package has no types. */
declare module "pg" {
  const pg: { readonly Pool: new (options: object) => import("./sdk.ts").Database };
  export default pg;
}
