// The types of Shop, for hydrant and hydrant/client. Written by "hydrant types": run it again instead of editing this file.
import type { Link } from 'hydrant/client'

export interface Product {
  readonly '@id': Link<Product>
  readonly '@type': 'Product'
  /** Unique. */
  name: string
  /** A decimal such as 12.50; at least 0. */
  price: string
  /** An integer from 0. */
  stock?: number
}

/** What a create takes. */
export interface ProductInput {
  /** Unique. */
  name: string
  /** A decimal such as 12.50; at least 0. */
  price: string | number
  /** An integer from 0. */
  stock?: number
}

/** What the collection can be asked. */
export interface ProductQuery {
  readonly __steps?: Record<never, never>
  name?: string | readonly string[]
  'name.ne'?: string
  'name.gt'?: string
  'name.gte'?: string
  'name.lt'?: string
  'name.lte'?: string
  'name.startsWith'?: string
  'name.contains'?: string
  'name.exists'?: boolean
  'order[name]'?: 'asc' | 'desc'
  price?: string | number | readonly (string | number)[]
  'price.ne'?: string | number
  'price.gt'?: string | number
  'price.gte'?: string | number
  'price.lt'?: string | number
  'price.lte'?: string | number
  'price.exists'?: boolean
  'order[price]'?: 'asc' | 'desc'
  stock?: number | readonly number[]
  'stock.ne'?: number
  'stock.gt'?: number
  'stock.gte'?: number
  'stock.lt'?: number
  'stock.lte'?: number
  'stock.exists'?: boolean
  'order[stock]'?: 'asc' | 'desc'
  q?: string
  fields?: string | readonly string[]
  sort?: string
  page?: number
  itemsPerPage?: number
  after?: string
  before?: string
}

export interface Order {
  readonly '@id': Link<Order>
  readonly '@type': 'Order'
  customer: string
  lines?: Line[]
  shipment?: Shipment
  readonly status?: 'open' | 'shipped'
  /** A decimal such as 12.50. */
  readonly total?: string
}

/** What a create takes. */
export interface OrderInput {
  customer: string
  lines?: readonly LineInput[]
  shipment?: ShipmentInput
}

/** What the collection can be asked. */
export interface OrderQuery {
  readonly __steps?: { lines: LineQuery[]; shipment: ShipmentQuery }
  customer?: string | readonly string[]
  'customer.ne'?: string
  'customer.gt'?: string
  'customer.gte'?: string
  'customer.lt'?: string
  'customer.lte'?: string
  'customer.startsWith'?: string
  'customer.contains'?: string
  'customer.exists'?: boolean
  'order[customer]'?: 'asc' | 'desc'
  status?: 'open' | 'shipped' | readonly ('open' | 'shipped')[]
  'status.ne'?: 'open' | 'shipped'
  'status.gt'?: string
  'status.gte'?: string
  'status.lt'?: string
  'status.lte'?: string
  'status.startsWith'?: string
  'status.contains'?: string
  'status.exists'?: boolean
  'order[status]'?: 'asc' | 'desc'
  total?: string | number | readonly (string | number)[]
  'total.ne'?: string | number
  'total.gt'?: string | number
  'total.gte'?: string | number
  'total.lt'?: string | number
  'total.lte'?: string | number
  'total.exists'?: boolean
  'order[total]'?: 'asc' | 'desc'
  q?: string
  include?: 'lines.product' | readonly 'lines.product'[]
  fields?: string | readonly string[]
  sort?: string
  page?: number
  itemsPerPage?: number
  after?: string
  before?: string
}

export interface Line {
  readonly '@type'?: 'Line'
  product: Link<Product>
  /** An integer from 1. */
  quantity: number
}

/** What a create takes. */
export interface LineInput {
  product: Link<Product>
  /** An integer from 1. */
  quantity: number
}

/** What a path through it can ask. */
export interface LineQuery {
  readonly __steps?: { product: ProductQuery }
  product?: Link<Product> | readonly Link<Product>[]
  'product.ne'?: Link<Product>
  'product.exists'?: boolean
  quantity?: number | readonly number[]
  'quantity.ne'?: number
  'quantity.gt'?: number
  'quantity.gte'?: number
  'quantity.lt'?: number
  'quantity.lte'?: number
  'quantity.exists'?: boolean
}

export interface Shipment {
  readonly '@type'?: 'Shipment'
  carrier: string
  parcel?: string
}

/** What a create takes. */
export interface ShipmentInput {
  carrier: string
  parcel?: string
}

/** What a path through it can ask. */
export interface ShipmentQuery {
  readonly __steps?: Record<never, never>
  carrier?: string | readonly string[]
  'carrier.ne'?: string
  'carrier.gt'?: string
  'carrier.gte'?: string
  'carrier.lt'?: string
  'carrier.lte'?: string
  'carrier.startsWith'?: string
  'carrier.contains'?: string
  'carrier.exists'?: boolean
  'order[carrier]'?: 'asc' | 'desc'
  parcel?: string | readonly string[]
  'parcel.ne'?: string
  'parcel.gt'?: string
  'parcel.gte'?: string
  'parcel.lt'?: string
  'parcel.lte'?: string
  'parcel.startsWith'?: string
  'parcel.contains'?: string
  'parcel.exists'?: boolean
  'order[parcel]'?: 'asc' | 'desc'
}

export interface Shop {
  products: { class: 'Product'; member: Product; input: ProductInput; query: ProductQuery }
  orders: { class: 'Order'; member: Order; input: OrderInput; query: OrderQuery }
}
