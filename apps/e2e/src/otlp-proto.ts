/**
 * The part of OpenTelemetry's protocol (opentelemetry-proto 1.x: collector/trace, collector/metrics) that the tests read. The
 * decoder skips fields that are missing here.
 */
export const otlpProto = `
syntax = "proto3";
message AnyValue {
  oneof value {
    string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; ArrayValue array_value = 5;
  }
}
message ArrayValue { repeated AnyValue values = 1; }
message KeyValue { string key = 1; AnyValue value = 2; }
message Resource { repeated KeyValue attributes = 1; }

message TraceRequest { repeated ResourceSpans resource_spans = 1; }
message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
message ScopeSpans { repeated Span spans = 2; }
message Span {
  bytes trace_id = 1; bytes span_id = 2; bytes parent_span_id = 4; string name = 5; int32 kind = 6;
  fixed64 start_time_unix_nano = 7; fixed64 end_time_unix_nano = 8;
  repeated KeyValue attributes = 9; repeated Event events = 11; repeated Link links = 13; Status status = 15;
}
message Event { string name = 2; repeated KeyValue attributes = 3; }
message Link { bytes trace_id = 1; bytes span_id = 2; }
message Status { int32 code = 3; }

message MetricsRequest { repeated ResourceMetrics resource_metrics = 1; }
message ResourceMetrics { Resource resource = 1; repeated ScopeMetrics scope_metrics = 2; }
message ScopeMetrics { repeated Metric metrics = 2; }
message Metric { string name = 1; string unit = 3; Points gauge = 5; Points sum = 7; Histogram histogram = 9; }
message Points { repeated Point data_points = 1; bool is_monotonic = 3; }
message Point { double as_double = 4; sfixed64 as_int = 6; repeated KeyValue attributes = 7; }
message Histogram { repeated HistogramPoint data_points = 1; }
message HistogramPoint {
  fixed64 count = 4; double sum = 5; repeated double explicit_bounds = 7; repeated KeyValue attributes = 9;
}
`;
