package dev.coppice.telemetry;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;

import dev.coppice.web.Weight;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;

/**
 * Counts the messages of an export without making any: a span without fields takes two bytes on the
 * wire, and hundreds in memory.
 */
record OtlpWeight(Descriptor type) implements Weight {
    /** A message or an unknown field, and what is made of it. */
    private static final int OF_A_MESSAGE = 320;

    /** Repeated numbers of one byte become eight, and are copied when their list grows. */
    private static final int OF_A_BYTE = 16;

    /** The parser of protobuf refuses deeper messages, too. */
    private static final int DEPTH_MAX = 100;

    static final String PROTOBUF = "application/x-protobuf";

    static boolean isProtobuf(@Nullable String type) {
        return type != null && type.startsWith(PROTOBUF);
    }

    @Override
    public long of(@Nullable String contentType, InputStream body) throws IOException {
        if (!isProtobuf(contentType)) return OF_A_MESSAGE * Json.values(body);
        var in = CodedInputStream.newInstance(body);
        var count = new Count(in);
        try {
            count.message(type, 0);
        } catch (InvalidProtocolBufferException _) {
            // The parser will refuse the body at this point.
        }
        return OF_A_MESSAGE * count.found + OF_A_BYTE * (long) in.getTotalBytesRead();
    }

    private static final class Count {
        private final CodedInputStream in;
        private long found;

        Count(CodedInputStream in) {
            this.in = in;
        }

        private void message(Descriptor type, int depth) throws IOException {
            found++;
            if (depth > DEPTH_MAX) throw new InvalidProtocolBufferException("nested too deeply");
            for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
                var field = type.findFieldByNumber(WireFormat.getTagFieldNumber(tag));
                boolean isMessage =
                        field != null
                                && field.getJavaType() == JavaType.MESSAGE
                                && WireFormat.getTagWireType(tag)
                                        == WireFormat.WIRETYPE_LENGTH_DELIMITED;
                if (!isMessage) {
                    if (field == null) found++;
                    in.skipField(tag);
                    continue;
                }
                int outer = in.pushLimit(in.readRawVarint32());
                message(field.getMessageType(), depth + 1);
                in.popLimit(outer);
            }
        }
    }
}
