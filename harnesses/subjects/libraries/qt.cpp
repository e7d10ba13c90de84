// SPDX-License-Identifier: MIT
//
// Qt as a subject: QString::fromUtf8; in pieces QTextDecoder (Qt 5) or QStringDecoder (Qt 6), which can be reset.
// QString::toUtf8. Whether there was an error is said by QTextCodec (Qt 5), isValidUtf8 and QStringEncoder (Qt 6).

#include "protocol.h"

#include <QString>

#if QT_VERSION >= QT_VERSION_CHECK(6, 0, 0)
#include <QStringDecoder>

static QStringDecoder decoder(QStringDecoder::Utf8);

static void renew()
{
    decoder.resetState();
}

static QString next(const char *bytes, size_t count)
{
    return decoder(QByteArrayView(bytes, qsizetype(count)));
}

static bool is_valid(const char *bytes, size_t count)
{
    return QUtf8StringView(bytes, qsizetype(count)).isValidUtf8();
}

static bool can_be_encoded(const QString &text)
{
    QStringEncoder encoder(QStringEncoder::Utf8, QStringConverter::Flag::Stateless);
    QByteArray ignored = encoder(text);
    return !encoder.hasError();
}

static void (*const reset)() = renew;
static const char *const operations = "validate,decode,reuse,encode,encode-utf16";
#else
#include <QTextCodec>
#include <QTextDecoder>
#include <memory>

static std::unique_ptr<QTextDecoder> decoder;

static void renew()
{
    decoder.reset(QTextCodec::codecForName("UTF-8")->makeDecoder());
}

static QString next(const char *bytes, size_t count)
{
    return decoder->toUnicode(bytes, int(count));
}

static bool is_valid(const char *bytes, size_t count)
{
    QTextCodec::ConverterState state;
    QTextCodec::codecForName("UTF-8")->toUnicode(bytes, int(count), &state);
    return state.invalidChars == 0 && state.remainingChars == 0;
}

static bool can_be_encoded(const QString &text)
{
    QTextCodec::ConverterState state;
    QTextCodec::codecForName("UTF-8")->fromUnicode(text.constData(), text.size(), &state);
    return state.invalidChars == 0 && state.remainingChars == 0;
}

static void (*const reset)() = nullptr;
static const char *const operations = "validate,decode,encode,encode-utf16";
#endif

static bool is_validation;
static bool may_be_whole; // and will be, if the first piece is the last

static bool begin(const char *operation, const char *encoding, const char *policy)
{
    may_be_whole = !is_word(operation, "reuse");
    renew();
    is_validation = is_word(operation, "validate");
    bool is_decoding = is_word(operation, "decode") || is_word(operation, "reuse");
    return is_word(encoding, "utf-8") && is_word(policy, is_decoding ? "own" : "strict") && !is_word(operation, "stop");
}

static verdict feed(const unsigned char *bytes, size_t count, bool is_last)
{
    const char *chars = reinterpret_cast<const char *>(bytes);
    if (is_validation)
        return is_valid(chars, count) ? WELL_FORMED : ILL_FORMED;
    QString text = may_be_whole && is_last ? QString::fromUtf8(chars, int(count)) : next(chars, count);
    emit_utf16(reinterpret_cast<const uint16_t *>(text.utf16()), size_t(text.size()));
    may_be_whole = false;
    return WELL_FORMED;
}

static verdict encode_utf16(const uint16_t *units, size_t count)
{
    QString text(reinterpret_cast<const QChar *>(units), int(count));
    QByteArray bytes = text.toUtf8();
    emit_bytes(bytes.constData(), size_t(bytes.size()));
    return can_be_encoded(text) ? WELL_FORMED : ILL_FORMED;
}

static verdict encode(const uint32_t *points, size_t count)
{
    size_t unit_count;
    uint16_t *units = utf16_of(points, count, &unit_count);
    verdict verdict = units != nullptr ? encode_utf16(units, unit_count) : NOT_OFFERED;
    free(units);
    return verdict;
}

int main()
{
    std::string offer = std::string("encodings=utf-8 policies=own,strict chunks=late ops=") + operations;
    adapter adapter = {begin, feed, reset, encode, encode_utf16};
    return speak("qt", offer.c_str(), &adapter);
}
