#include "CTOML.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <string_view>

#define TOML_EXCEPTIONS 1
#include <toml++/toml.h>

struct ctoml_document {
    toml::table root;
};

namespace {

const toml::node &node_of(const ctoml_node *node) { return *reinterpret_cast<const toml::node *>(node); }

const ctoml_node *handle(const toml::node &node) { return reinterpret_cast<const ctoml_node *>(&node); }

void report(ctoml_error *error, std::string_view message, toml::source_position where) {
    const size_t count = std::min(message.size(), sizeof error->message - 1);
    std::memcpy(error->message, message.data(), count);
    error->message[count] = 0;
    error->line = where.line;
    error->column = where.column;
}

}  // namespace

ctoml_document *ctoml_parse(const char *text, size_t length, ctoml_error *error) {
    try {
        return new ctoml_document{toml::parse(std::string_view(text, length))};
    } catch (const toml::parse_error &failure) {
        report(error, failure.description(), failure.source().begin);
    } catch (const std::exception &failure) {
        report(error, failure.what(), {});
    } catch (...) {
        report(error, "unknown error", {});
    }
    return nullptr;
}

void ctoml_free(ctoml_document *document) { delete document; }

const ctoml_node *ctoml_root(const ctoml_document *document) { return handle(document->root); }

ctoml_kind ctoml_kind_of(const ctoml_node *node) {
    switch (node_of(node).type()) {
        case toml::node_type::array: return CTOML_ARRAY;
        case toml::node_type::string: return CTOML_STRING;
        case toml::node_type::integer: return CTOML_INTEGER;
        case toml::node_type::floating_point: return CTOML_FLOAT;
        case toml::node_type::boolean: return CTOML_BOOLEAN;
        case toml::node_type::date: return CTOML_DATE;
        case toml::node_type::time: return CTOML_TIME;
        case toml::node_type::date_time: return CTOML_DATE_TIME;
        case toml::node_type::table:
        case toml::node_type::none: break;
    }
    return CTOML_TABLE;
}

ctoml_region ctoml_region_of(const ctoml_node *node) {
    const toml::source_region &region = node_of(node).source();
    return {region.begin.line, region.begin.column, region.end.line, region.end.column};
}

size_t ctoml_count(const ctoml_node *node) {
    if (const toml::table *table = node_of(node).as_table()) return table->size();
    if (const toml::array *array = node_of(node).as_array()) return array->size();
    return 0;
}

const ctoml_node *ctoml_child(const ctoml_node *node, size_t index, const char **key, size_t *key_length,
                              uint32_t *key_line) {
    if (index >= ctoml_count(node)) return nullptr;
    if (const toml::array *array = node_of(node).as_array()) return handle((*array)[index]);
    auto entry = node_of(node).as_table()->cbegin();
    std::advance(entry, static_cast<std::ptrdiff_t>(index));
    const toml::key &name = entry->first;
    if (key) *key = name.str().data();
    if (key_length) *key_length = name.str().size();
    if (key_line) *key_line = name.source().begin.line;
    return handle(entry->second);
}

const char *ctoml_string(const ctoml_node *node, size_t *length) {
    const toml::value<std::string> *text = node_of(node).as_string();
    *length = text ? text->get().size() : 0;
    return text ? text->get().data() : "";
}

int64_t ctoml_integer(const ctoml_node *node) {
    const toml::value<int64_t> *number = node_of(node).as_integer();
    return number ? number->get() : 0;
}

bool ctoml_boolean(const ctoml_node *node) {
    const toml::value<bool> *flag = node_of(node).as_boolean();
    return flag && flag->get();
}

void ctoml_date(const ctoml_node *node, int *year, int *month, int *day) {
    const toml::value<toml::date> *date = node_of(node).as_date();
    *year = date ? date->get().year : 0;
    *month = date ? date->get().month : 0;
    *day = date ? date->get().day : 0;
}
